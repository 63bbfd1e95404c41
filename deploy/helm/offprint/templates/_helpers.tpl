{{- define "offprint.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "offprint.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "offprint.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "offprint.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "offprint.selector" -}}
app.kubernetes.io/name: {{ include "offprint.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "offprint.labels" -}}
{{ include "offprint.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end -}}

{{- define "offprint.image" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end -}}

{{- define "offprint.secretName" -}}
{{- default (include "offprint.fullname" .) .Values.staticExport.existingSecret -}}
{{- end -}}

{{- /* What `offprint serve` reads: the values of the same names. */ -}}
{{- define "offprint.values" -}}
staticExport:
  enabled: true
  bundleUrl: {{ required "staticExport.bundleUrl is missing: write the bundleUrl that the service gave" .Values.staticExport.bundleUrl | toJson }}
  {{- with .Values.staticExport.version }}
  version: {{ . | toJson }}
  {{- end }}
{{- end -}}
