CREATE INDEX CONCURRENTLY "mails_waiting_idx" ON "mails" USING btree ("created_at") WHERE status = 'attempting' and created_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_due_at_idx" ON "mails" USING btree ("due_at") WHERE status = 'attempting' and due_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_unsent_of_seller_idx" ON "mails" USING btree ("seller_id","status","created_at") WHERE status <> 'sent' and seller_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_subject_idx" ON "outbox" USING btree ("destination_id","subject_id","place") WHERE status = 'queued' and subject_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_due_at_idx" ON "outbox" USING btree ("due_at") WHERE status = 'queued' and due_at is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_unsent_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_attempting_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_due_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_queued_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_due_idx";