CREATE TABLE "email_domains" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"domain_name" text NOT NULL,
	"status" text DEFAULT 'manual' NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"provider_id" text,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"spf_record" text DEFAULT '' NOT NULL,
	"dkim_record" text DEFAULT '' NOT NULL,
	"dmarc_record" text DEFAULT '' NOT NULL,
	"verifying_since" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_templates" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "email_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sender_name" text NOT NULL,
	"sender_email" text NOT NULL,
	"subject" text NOT NULL,
	"html_content" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_events" (
	"hook_id" uuid NOT NULL,
	"svix_id" text NOT NULL,
	"mail_id" uuid,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_events_hook_id_svix_id_pk" PRIMARY KEY("hook_id","svix_id")
);
--> statement-breakpoint
CREATE TABLE "mail_hooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid,
	"hook_token" text NOT NULL,
	"key_hash" text,
	"provider_id" text,
	"secret_sealed" text,
	"failure" text,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "mail_hooks_seller_key" UNIQUE NULLS NOT DISTINCT("seller_id")
);
--> statement-breakpoint
CREATE TABLE "mail_settings" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"resend_key_sealed" text,
	"reminder_minutes" integer[] DEFAULT '{15,120,1440}' NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reminder_opt_outs" (
	"seller_id" uuid NOT NULL,
	"email_hash" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reminder_opt_outs_seller_id_email_hash_pk" PRIMARY KEY("seller_id","email_hash")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "via" text DEFAULT 'platform' NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "delivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "bounced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "complained_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "email_domains" ADD CONSTRAINT "email_domains_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_hook_id_mail_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."mail_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_hooks" ADD CONSTRAINT "mail_hooks_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_opt_outs" ADD CONSTRAINT "reminder_opt_outs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_events_mail_idx" ON "mail_events" USING btree ("mail_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_hooks_hook_token_key" ON "mail_hooks" USING btree ("hook_token");--> statement-breakpoint
CREATE INDEX "mails_provider_id_idx" ON "mails" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "sales_customer_email_idx" ON "sales" USING btree ("customer_email","created_at");