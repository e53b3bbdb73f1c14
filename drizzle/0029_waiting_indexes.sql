CREATE INDEX CONCURRENTLY "mails_due_at_idx" ON "mails" USING btree ("due_at") WHERE status = 'attempting' and due_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_unsent_of_seller_idx" ON "mails" USING btree ("seller_id","status","created_at") WHERE status <> 'sent' and seller_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_subject_idx" ON "outbox" USING btree ("destination_id","subject_id","place") WHERE status = 'queued' and subject_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_due_at_idx" ON "outbox" USING btree ("due_at") WHERE status = 'queued' and due_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "charges_being_made_idx" ON "charges" USING btree ("created_at") WHERE status = 'creating' and created_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payment_webhooks_waiting_idx" ON "payment_webhooks" USING btree ("charge_id") WHERE handled_at is null and charge_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "refunds_waiting_idx" ON "refunds" USING btree ("requested_at") WHERE status = 'pending' and requested_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sales_unpaid_idx" ON "sales" USING btree ("created_at") WHERE status = 'pending' and created_at is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_unsent_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_attempting_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "mails_due_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_queued_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_due_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "charges_creating_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_webhooks_unhandled_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "refunds_pending_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "sales_pending_idx";