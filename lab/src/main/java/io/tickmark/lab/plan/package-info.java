/** What has to be run: plans in YAML or composed in code, checked before anything starts. */
package io.tickmark.lab.plan;
