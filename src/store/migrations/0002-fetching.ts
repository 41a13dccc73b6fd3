// Adds when a job is tried again, and the validators for conditional requests.

export const fetching: readonly string[] = [
  `alter table job add column next_attempt_at integer not null default 0`,
  `drop index job_kind`,
  `create index job_due on job (kind, next_attempt_at, job_id)`,
  `alter table document add column etag text`,
  `alter table document add column last_modified text`,
  `alter table document add column fetched_at integer`,
  `alter table token add column update_mode text check (update_mode in ('standard', 'frozen', 'dynamic'))`,
  `alter table token add column ttl_seconds integer`,
  `create index document_failure on document (failure_code) where failure_code is not null`,
];
