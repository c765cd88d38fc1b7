{{- define "tickmark.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tickmark.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (ternary (printf "%s-tickmark" .Release.Name) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "tickmark.labels" -}}
app.kubernetes.io/name: tickmark
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* The spec of a pod that roles run in; 'tickmark run --kubernetes' makes the same, and a test compares them. */ -}}
{{- define "tickmark.pod" -}}
{{- $job := .job -}}
{{- with .root -}}
restartPolicy: Never
hostNetwork: {{ .Values.hostNetwork }}
dnsPolicy: {{ ternary "ClusterFirstWithHostNet" "ClusterFirst" .Values.hostNetwork }}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 5
{{- with $job.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .Values.spread }}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - labelSelector:
          matchLabels:
            app.kubernetes.io/name: tickmark
            app.kubernetes.io/instance: {{ .Release.Name }}
        topologyKey: kubernetes.io/hostname
{{- end }}
containers:
  - name: tickmark
    image: {{ include "tickmark.image" . | quote }}
    command: [{{ printf "%s/config/host-agent" .Values.home | quote }}, keep]
    # Requests that equal limits, in whole cores: what a static CPU policy gives cores to.
    resources:
      requests: &resources
        cpu: {{ $job.cpus | default 2 | quote }}
        memory: {{ $job.memory | default "2Gi" | quote }}
      limits: *resources
    securityContext:
      allowPrivilegeEscalation: false
    volumeMounts:
      - {name: files, mountPath: /var/lib/tickmark}
      - {name: shm, mountPath: /dev/shm}
volumes:
  - name: files
    emptyDir: {}
  - name: shm
    emptyDir:
      medium: Memory
      sizeLimit: {{ $job.sharedMemory | default "512Mi" | quote }}
{{- end }}
{{- end }}

{{- define "tickmark.controller" -}}
restartPolicy: Never
serviceAccountName: {{ include "tickmark.serviceAccount" . }}
containers:
  - name: controller
    image: {{ include "tickmark.image" . | quote }}
    workingDir: /results
    command:
      - {{ printf "%s/tickmark" .Values.home | quote }}
      - run
      - {{ .Values.run.plan | quote }}
      - --kubernetes
      - /etc/tickmark/pods.yaml
      {{- range .Values.run.arguments }}
      - {{ . | quote }}
      {{- end }}
    resources:
      requests: &resources
        cpu: {{ .Values.run.cpus | default 1 | quote }}
        memory: {{ .Values.run.memory | default "1Gi" | quote }}
      limits: *resources
    securityContext:
      allowPrivilegeEscalation: false
    volumeMounts:
      - {name: pods, mountPath: /etc/tickmark}
      - {name: results, mountPath: /results}
volumes:
  - name: pods
    configMap:
      name: {{ .Release.Name }}-tickmark
  - name: results
    {{- if .Values.run.claim }}
    persistentVolumeClaim:
      claimName: {{ .Values.run.claim }}
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end }}

{{- /* A pod's spec with another laid over it, as 'kubectl patch' does by default: lists whose elements have a name by that
       name, all others as a whole. 'tickmark run --kubernetes' does the same (StrategicMerge), and a test compares them. */ -}}
{{- define "tickmark.merged" -}}
{{- $names := dict "containers" "name" "initContainers" "name" "ephemeralContainers" "name" "env" "name" "ports" "containerPort" "volumeMounts" "mountPath" "volumeDevices" "devicePath" "volumes" "name" "imagePullSecrets" "name" "hostAliases" "ip" "topologySpreadConstraints" "topologyKey" "schedulingGates" "name" "resourceClaims" "name" -}}
{{- $merged := deepCopy .base -}}
{{- $over := .over -}}
{{- $directive := get $over "$patch" -}}
{{- if $directive -}}
{{- $_ := required "$patch is not replace or delete" (ternary "known" "" (has $directive (list "replace" "delete"))) -}}
{{- $merged = ternary (omit $over "$patch") dict (eq $directive "replace") -}}
{{- $over = dict -}}
{{- end -}}
{{- range $key, $is := $over -}}
{{- $was := get $merged $key -}}
{{- if kindIs "invalid" $is -}}
{{- $_ := unset $merged $key -}}
{{- else if kindIs "map" $is -}}
{{- $base := ternary $was dict (kindIs "map" $was) -}}
{{- $_ := set $merged $key (include "tickmark.merged" (dict "base" $base "over" $is) | fromYaml) -}}
{{- else if and (kindIs "slice" $is) (hasKey $names $key) -}}
{{- $by := get $names $key -}}
{{- $deleted := list -}}
{{- $replaced := false -}}
{{- range $element := $is -}}
{{- $patch := get $element "$patch" | default "merge" -}}
{{- $_ := required "$patch is not replace or delete" (ternary "known" "" (has $patch (list "merge" "replace" "delete"))) -}}
{{- if eq $patch "replace" -}}{{- $replaced = true -}}{{- end -}}
{{- if eq $patch "delete" -}}
{{- $deleted = append $deleted (required (printf "an element of %s has no %s, by which it would be found" $key $by) (get $element $by) | toString) -}}
{{- end -}}
{{- end -}}
{{- $order := list -}}
{{- $found := dict -}}
{{- range $element := (ternary $was list (and (kindIs "slice" $was) (not $replaced))) -}}
{{- $name := get $element $by | toString -}}
{{- if not (has $name $deleted) -}}
{{- $order = append $order $name -}}
{{- $_ := set $found $name $element -}}
{{- end -}}
{{- end -}}
{{- range $element := $is -}}
{{- if not (get $element "$patch") -}}
{{- $name := required (printf "an element of %s has no %s, by which it would be found" $key $by) (get $element $by) | toString -}}
{{- $base := get $found $name | default dict -}}
{{- if eq $key "volumes" -}}
{{- range $source, $_ := $element -}}
{{- if not (hasKey $base $source) -}}{{- $base = dict -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- if not (has $name $order) -}}{{- $order = append $order $name -}}{{- end -}}
{{- $_ := set $found $name (include "tickmark.merged" (dict "base" $base "over" $element) | fromYaml) -}}
{{- end -}}
{{- end -}}
{{- $all := list -}}
{{- range $name := $order -}}{{- $all = append $all (get $found $name) -}}{{- end -}}
{{- $_ := set $merged $key $all -}}
{{- else -}}
{{- $_ := set $merged $key $is -}}
{{- end -}}
{{- end -}}
{{- toYaml $merged -}}
{{- end }}
