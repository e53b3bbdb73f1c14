ALTER TABLE "mails" ADD COLUMN "cleared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tracking_events" ADD COLUMN "cleared_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mail_events_received_idx" ON "mail_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "mails_text_idx" ON "mails" USING btree ("created_at") WHERE cleared_at is null and status <> 'attempting';--> statement-breakpoint
CREATE INDEX "payment_webhooks_received_idx" ON "payment_webhooks" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "email_tokens_expires_idx" ON "email_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_expires_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tracking_events_text_idx" ON "tracking_events" USING btree ("created_at") WHERE cleared_at is null and status <> 'queued';