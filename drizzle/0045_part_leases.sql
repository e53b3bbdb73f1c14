ALTER TABLE "files" ADD COLUMN "lease" uuid;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "leased_until" timestamp (3) with time zone;