ALTER TABLE "mails" ADD COLUMN "claimed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mails_attempting_idx" ON "mails" USING btree ("created_at") WHERE status = 'attempting';