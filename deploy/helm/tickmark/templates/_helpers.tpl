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
