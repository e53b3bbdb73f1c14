CREATE TABLE "backfills" (
	"name" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "paced_checks" (
	"charge_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "key_refused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "next_paced_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "paced_checks" ADD CONSTRAINT "paced_checks_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "paced_checks_account_idx" ON "paced_checks" USING btree ("seller_id","provider","due_at");--> statement-breakpoint
CREATE INDEX "paced_checks_due_idx" ON "paced_checks" USING btree ("due_at");