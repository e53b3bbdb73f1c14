CREATE FUNCTION queue_job(task text, payload json, run_at timestamptz, max_attempts int, priority int, job_key text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := coalesce(queue_job.run_at, now());
BEGIN
  LOOP
    INSERT INTO graphile_worker._private_jobs AS j (task_id, payload, run_at, max_attempts, priority, key)
      SELECT t.id, queue_job.payload, due, queue_job.max_attempts, queue_job.priority, queue_job.job_key
      FROM graphile_worker._private_tasks t WHERE t.identifier = queue_job.task
      ON CONFLICT (key) DO UPDATE SET task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
        max_attempts = excluded.max_attempts, priority = excluded.priority, job_queue_id = NULL, flags = NULL,
        revision = j.revision + 1, attempts = 0, last_error = NULL, updated_at = now()
      WHERE j.locked_at IS NULL;
    EXIT WHEN FOUND;
    INSERT INTO graphile_worker._private_tasks (identifier) VALUES (queue_job.task) ON CONFLICT DO NOTHING;
    UPDATE graphile_worker._private_jobs AS j SET key = NULL, attempts = j.max_attempts, updated_at = now()
      WHERE j.key = queue_job.job_key AND j.locked_at IS NOT NULL;
  END LOOP;
  IF due <= now() THEN
    PERFORM pg_notify('jobs:insert', '{"count":1}');
  END IF;
END $$;
