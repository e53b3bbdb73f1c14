ALTER TABLE "mails" DROP CONSTRAINT "mails_facts_or_payload";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "body_sealed" text;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_waiting_check" CHECK (status <> 'attempting' or num_nonnulls(facts, body_sealed, payload) > 0) NOT VALID;