ALTER TABLE "email_templates" ADD COLUMN "simple" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "priority" smallint DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "account" text;