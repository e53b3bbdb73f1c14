ALTER TABLE "mails" ALTER COLUMN "payload" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "template_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_facts_or_payload" CHECK (facts is not null or payload is not null);