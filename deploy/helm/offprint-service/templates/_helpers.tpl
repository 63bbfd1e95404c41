{{- define "service.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 55 | trimSuffix "-" -}}
{{- end -}}

{{- /* Short enough for "-worker" behind it. */ -}}
{{- define "service.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 55 | trimSuffix "-" -}}
{{- else if contains (include "service.name" .) .Release.Name -}}
{{- .Release.Name | trunc 55 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "service.name" .) | trunc 55 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "service.selector" -}}
app.kubernetes.io/name: {{ include "service.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "service.labels" -}}
{{ include "service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end -}}

{{- define "service.image" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end -}}

{{- define "service.account" -}}
{{- default (ternary (include "service.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- /* What API and workers both must know. */ -}}
{{- define "service.environment" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret is missing: the name of a Secret with the address of a PostgreSQL database" .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
- name: OFFPRINT_S3_BUCKET
  value: {{ required "s3.bucket is missing: the bucket that bundles are kept in" .Values.s3.bucket | quote }}
- name: AWS_REGION
  value: {{ required "s3.region is missing: the bucket's region; stores other than AWS usually take us-east-1" .Values.s3.region | quote }}
{{- with .Values.s3.endpoint }}
- name: OFFPRINT_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .Values.s3.prefix }}
- name: OFFPRINT_S3_PREFIX
  value: {{ . | quote }}
{{- end }}
{{- with .Values.audit.retentionDays }}
- name: OFFPRINT_AUDIT_DAYS
  value: {{ . | quote }}
{{- end }}
- name: OFFPRINT_ASSISTANT_RETENTION_DAYS
  value: {{ .Values.assistant.retentionDays | quote }}
{{- if .Values.s3.existingSecret }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.s3.existingSecret }}
      key: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The model, of the assistant and of agent jobs. */ -}}
{{- define "service.modelEnvironment" -}}
{{- with .Values.assistant.model }}
{{- if .name }}
- name: OFFPRINT_MODEL
  value: {{ .name | quote }}
- name: OFFPRINT_MODEL_PROVIDER
  value: {{ .provider | quote }}
{{- with .url }}
- name: OFFPRINT_MODEL_URL
  value: {{ . | quote }}
{{- end }}
{{- if .keySecret }}
- name: OFFPRINT_MODEL_KEY_FILE
  value: /etc/offprint/model/OFFPRINT_MODEL_KEY
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "service.modelMount" -}}
{{- if and .Values.assistant.model.name .Values.assistant.model.keySecret }}
- name: model-key
  mountPath: /etc/offprint/model
  readOnly: true
{{- end }}
{{- end -}}

{{- define "service.modelVolume" -}}
{{- if and .Values.assistant.model.name .Values.assistant.model.keySecret }}
- name: model-key
  secret:
    secretName: {{ .Values.assistant.model.keySecret }}
    items:
      - key: OFFPRINT_MODEL_KEY
        path: OFFPRINT_MODEL_KEY
{{- end }}
{{- end -}}

{{- /* Agent jobs: of API and workers. */ -}}
{{- define "service.agentEnvironment" -}}
{{- if .Values.agent.forgesSecret }}
- name: OFFPRINT_FORGES_FILE
  value: /etc/offprint/forges/OFFPRINT_FORGES
{{- end }}
{{- with .Values.credentials.keySecret }}
- name: OFFPRINT_CREDENTIALS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: OFFPRINT_CREDENTIALS_KEY
{{- end }}
{{- end -}}

{{- define "service.agentMount" -}}
{{- if .Values.agent.forgesSecret }}
- name: forges
  mountPath: /etc/offprint/forges
  readOnly: true
{{- end }}
{{- end -}}

{{- define "service.agentVolume" -}}
{{- with .Values.agent.forgesSecret }}
- name: forges
  secret:
    secretName: {{ . }}
    items:
      - key: OFFPRINT_FORGES
        path: OFFPRINT_FORGES
{{- end }}
{{- end -}}

{{- define "service.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
{{- end -}}

{{- /* What API and workers reach. */ -}}
{{- define "service.egress" -}}
- ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
    {{- range .Values.networkPolicy.ports }}
    - protocol: TCP
      port: {{ . }}
    {{- end }}
    {{- with regexFind ":[0-9]+(/|$)" .Values.s3.endpoint }}
    - protocol: TCP
      port: {{ regexFind "[0-9]+" . }}
    {{- end }}
    {{- with regexFind ":[0-9]+(/|$)" .Values.assistant.model.url }}
    - protocol: TCP
      port: {{ regexFind "[0-9]+" . }}
    {{- end }}
{{- with .Values.networkPolicy.egress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "service.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end -}}

{{- /* `component` is api or worker, `root` the chart's context. */ -}}
{{- define "service.placement" -}}
{{- $component := .component -}}
{{- with .root -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .Values.spread }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "service.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $component }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
