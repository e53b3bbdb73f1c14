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
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid,
	"sale_id" uuid,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"facts" jsonb,
	"payload" jsonb,
	"idempotency_key" text NOT NULL,
	"via" text DEFAULT 'platform' NOT NULL,
	"status" text DEFAULT 'attempting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"provider_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"unsure_since" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"template_failed_at" timestamp (3) with time zone,
	"cleared_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"bounced_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	CONSTRAINT "mails_facts_or_payload" CHECK (facts is not null or payload is not null)
);
--> statement-breakpoint
CREATE TABLE "charge_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "charge_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"charge_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "charge_events_kind_check" CHECK ("charge_events"."kind" in ('requested', 'made', 'asked', 'unanswered', 'paid', 'surplus', 'mispaid', 'expired', 'cancelled', 'failed', 'refund_requested', 'refund_accepted', 'refund_refused', 'refund_unconfirmed', 'refund_done')),
	CONSTRAINT "charge_events_cause_check" CHECK ("charge_events"."cause" in ('buyer', 'seller', 'provider', 'clock', 'system'))
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sale_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"gateway_key_id" uuid,
	"reference" text NOT NULL,
	"provider_id" text,
	"status" text DEFAULT 'creating' NOT NULL,
	"amount_cents" integer NOT NULL,
	"paid_cents" integer,
	"fee_cents" integer,
	"pix_code" text,
	"expires_at" timestamp (3) with time zone,
	"creating_until" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"surplus_at" timestamp (3) with time zone,
	"last_checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "charges_status_check" CHECK ("charges"."status" in ('creating', 'open', 'paid', 'mispaid', 'failed', 'expired', 'cancelled')),
	CONSTRAINT "charges_amount_check" CHECK ("charges"."amount_cents" > 0 and "charges"."paid_cents" > 0),
	CONSTRAINT "charges_paid_check" CHECK (("charges"."status" in ('paid', 'mispaid')) = ("charges"."paid_at" is not null and "charges"."paid_cents" is not null)),
	CONSTRAINT "charges_paid_amount_check" CHECK ("charges"."status" <> 'paid' or "charges"."paid_cents" = "charges"."amount_cents"),
	CONSTRAINT "charges_surplus_check" CHECK ("charges"."surplus_at" is null or "charges"."status" = 'paid'),
	CONSTRAINT "charges_failure_check" CHECK (("charges"."status" = 'failed') = ("charges"."failure_kind" is not null))
);
--> statement-breakpoint
CREATE TABLE "gateway_accounts" (
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"key_id" uuid,
	"public_key_sealed" text,
	"webhook_secret_sealed" text,
	"hook_token" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gateway_accounts_seller_id_provider_pk" PRIMARY KEY("seller_id","provider")
);
--> statement-breakpoint
CREATE TABLE "gateway_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"api_key_sealed" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_webhooks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"charge_id" uuid,
	"dedupe_key" text NOT NULL,
	"provider_id" text NOT NULL,
	"state" text NOT NULL,
	"word" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp (3) with time zone,
	CONSTRAINT "payment_webhooks_state_check" CHECK ("payment_webhooks"."state" in ('open', 'paid', 'expired', 'cancelled', 'refunded', 'unclear'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"charge_id" uuid NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"origin" text NOT NULL,
	"provider_id" text,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	CONSTRAINT "refunds_status_check" CHECK ("refunds"."status" in ('pending', 'refused', 'unconfirmed', 'done')),
	CONSTRAINT "refunds_origin_check" CHECK ("refunds"."origin" in ('requested', 'recorded', 'observed')),
	CONSTRAINT "refunds_amount_check" CHECK ("refunds"."amount_cents" > 0),
	CONSTRAINT "refunds_ended_check" CHECK (("refunds"."status" = 'pending') = ("refunds"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "order_bumps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_bumps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"product_id" bigint NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"discount_percentage" integer,
	"image_url" text,
	"file_url" text,
	"promotion_text" text,
	"urgency_text" text,
	"deactivated_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"seller_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"discount_percentage" integer,
	"image_url" text,
	"file_url" text,
	"redirect_url" text,
	"promotion_text" text,
	"urgency_text" text,
	"banner_image_url" text,
	"banner_link_url" text,
	"checkout_slug" text,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upsell_offers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "upsell_offers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"product_id" bigint NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"discount_percentage" integer,
	"image_url" text,
	"file_url" text,
	"video_url" text,
	"benefits" text[] DEFAULT '{}' NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "queue_workers" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"backend_pid" integer NOT NULL,
	"backend_start" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_buyer_days" (
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"buyers" integer NOT NULL,
	CONSTRAINT "report_buyer_days_seller_id_day_pk" PRIMARY KEY("seller_id","day")
);
--> statement-breakpoint
CREATE TABLE "report_buyers" (
	"seller_id" uuid NOT NULL,
	"email" text NOT NULL,
	"last_completed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_buyers_seller_id_email_pk" PRIMARY KEY("seller_id","email")
);
--> statement-breakpoint
CREATE TABLE "report_days" (
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"dimension" text NOT NULL,
	"key" text NOT NULL,
	"created" integer NOT NULL,
	"converted" integer NOT NULL,
	"sold" integer NOT NULL,
	"revenue_cents" bigint NOT NULL,
	"net_cents" bigint NOT NULL,
	"with_bump" integer NOT NULL,
	"offers" integer NOT NULL,
	"mails" integer NOT NULL,
	"mails_sent" integer NOT NULL,
	"mails_failed" integer NOT NULL,
	"mail_tries" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_marks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"email" text
);
--> statement-breakpoint
CREATE TABLE "sale_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sale_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sale_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sale_events_kind_check" CHECK ("sale_events"."kind" in ('placed', 'completed', 'failed', 'reopened', 'cancelled', 'refunded', 'chargedback', 'partly_refunded', 'customer_edited', 'viewed', 'downloaded')),
	CONSTRAINT "sale_events_cause_check" CHECK ("sale_events"."cause" in ('buyer', 'seller', 'provider', 'clock', 'system'))
);
--> statement-breakpoint
CREATE TABLE "sale_lines" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sale_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"product_id" bigint,
	"order_bump_id" bigint,
	"upsell_offer_id" bigint,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"price_cents" integer NOT NULL,
	"file_url" text,
	CONSTRAINT "sale_lines_kind_check" CHECK ("sale_lines"."kind" in ('product', 'bump', 'offer')),
	CONSTRAINT "sale_lines_price_check" CHECK ("sale_lines"."price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sales" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"parent_sale_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"amount_cents" integer NOT NULL,
	"payment_method" text DEFAULT 'pix' NOT NULL,
	"customer_name" text,
	"customer_email" text,
	"customer_phone" text,
	"customer_document_sealed" text,
	"customer_ip" text,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_term" text,
	"utm_content" text,
	"campaign" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"order_key" text NOT NULL,
	"press_key" text,
	"client_key" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"refunded_at" timestamp (3) with time zone,
	"fee_cents" integer,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sales_status_check" CHECK ("sales"."status" in ('pending', 'completed', 'failed', 'cancelled', 'refunded', 'chargedback')),
	CONSTRAINT "sales_amount_check" CHECK ("sales"."amount_cents" > 0),
	CONSTRAINT "sales_customer_check" CHECK ('' not in ("sales"."customer_name", "sales"."customer_email", "sales"."customer_phone")),
	CONSTRAINT "sales_refunded_cents_check" CHECK ("sales"."refunded_cents" between 0 and "sales"."amount_cents"),
	CONSTRAINT "sales_completed_at_check" CHECK (("sales"."status" in ('completed', 'refunded', 'chargedback')) = ("sales"."completed_at" is not null)),
	CONSTRAINT "sales_refunded_at_check" CHECK (("sales"."status" = 'refunded') = ("sales"."refunded_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"preview" text NOT NULL,
	"scopes" text[] DEFAULT '{"read","sales","settings"}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "email_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "held_forms" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"change" text NOT NULL,
	"address" text NOT NULL,
	"fields_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"resumed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"name" text NOT NULL,
	"company" text,
	"phone" text,
	"picture_url" text,
	"password_hash" text,
	"oauth_subject" text,
	"notify_new_sale" boolean DEFAULT true NOT NULL,
	"notify_failed_payment" boolean DEFAULT true NOT NULL,
	"notify_weekly_report" boolean DEFAULT true NOT NULL,
	"notify_monthly_report" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"authenticated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checkout_customizations" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offer_showings" (
	"sale_id" uuid NOT NULL,
	"offer_id" bigint NOT NULL,
	"shown_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "offer_showings_sale_id_offer_id_pk" PRIMARY KEY("sale_id","offer_id")
);
--> statement-breakpoint
CREATE TABLE "thank_you_customizations" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "tracking_connections" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"api_token_sealed" text,
	"api_url" text,
	"source_id" text DEFAULT 'checkintelli' NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"on_purchase" boolean DEFAULT true NOT NULL,
	"on_refund" boolean DEFAULT false NOT NULL,
	"on_chargeback" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"state" text NOT NULL,
	"resend" smallint DEFAULT 0 NOT NULL,
	"transaction_id" text,
	"payload" jsonb NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"response_status" integer,
	"response_body" text,
	"note" text,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"cleared_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracking_products" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_domains" ADD CONSTRAINT "email_domains_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_hook_id_mail_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."mail_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_hooks" ADD CONSTRAINT "mail_hooks_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_opt_outs" ADD CONSTRAINT "reminder_opt_outs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charge_events" ADD CONSTRAINT "charge_events_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_gateway_key_id_gateway_keys_id_fk" FOREIGN KEY ("gateway_key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_key_id_gateway_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_keys" ADD CONSTRAINT "gateway_keys_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_webhooks" ADD CONSTRAINT "payment_webhooks_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_bumps" ADD CONSTRAINT "order_bumps_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_offers" ADD CONSTRAINT "upsell_offers_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_buyer_days" ADD CONSTRAINT "report_buyer_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_buyers" ADD CONSTRAINT "report_buyers_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_days" ADD CONSTRAINT "report_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_events" ADD CONSTRAINT "sale_events_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_order_bump_id_order_bumps_id_fk" FOREIGN KEY ("order_bump_id") REFERENCES "public"."order_bumps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_upsell_offer_id_upsell_offers_id_fk" FOREIGN KEY ("upsell_offer_id") REFERENCES "public"."upsell_offers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_parent_sale_id_sales_id_fk" FOREIGN KEY ("parent_sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_forms" ADD CONSTRAINT "held_forms_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_customizations" ADD CONSTRAINT "checkout_customizations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_showings" ADD CONSTRAINT "offer_showings_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_showings" ADD CONSTRAINT "offer_showings_offer_id_upsell_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."upsell_offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thank_you_customizations" ADD CONSTRAINT "thank_you_customizations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_connections" ADD CONSTRAINT "tracking_connections_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_products" ADD CONSTRAINT "tracking_products_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_events_mail_idx" ON "mail_events" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "mail_events_received_idx" ON "mail_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_hooks_hook_token_key" ON "mail_hooks" USING btree ("hook_token");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_idempotency_key" ON "mails" USING btree ("idempotency_key");--> statement-breakpoint
CREATE INDEX "mails_seller_idx" ON "mails" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_unsent_idx" ON "mails" USING btree ("seller_id","status","created_at") WHERE status <> 'sent';--> statement-breakpoint
CREATE INDEX "mails_attempting_idx" ON "mails" USING btree ("created_at") WHERE status = 'attempting';--> statement-breakpoint
CREATE INDEX "mails_text_idx" ON "mails" USING btree ("created_at") WHERE cleared_at is null and status <> 'attempting';--> statement-breakpoint
CREATE INDEX "mails_sale_idx" ON "mails" USING btree ("sale_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_unpaid_idx" ON "mails" USING btree ("recipient","created_at") WHERE kind in ('pix', 'reminder');--> statement-breakpoint
CREATE INDEX "mails_provider_id_idx" ON "mails" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "charge_events_charge_idx" ON "charge_events" USING btree ("charge_id","id");--> statement-breakpoint
CREATE INDEX "charges_sale_idx" ON "charges" USING btree ("sale_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_reference_key" ON "charges" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_provider_id_key" ON "charges" USING btree ("provider","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_counting_key" ON "charges" USING btree ("sale_id") WHERE status = 'paid' and surplus_at is null;--> statement-breakpoint
CREATE INDEX "charges_extra_idx" ON "charges" USING btree ("paid_at") WHERE surplus_at is not null or status = 'mispaid';--> statement-breakpoint
CREATE INDEX "charges_gateway_key_idx" ON "charges" USING btree ("gateway_key_id","created_at");--> statement-breakpoint
CREATE INDEX "charges_next_check_idx" ON "charges" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "charges_creating_idx" ON "charges" USING btree ("created_at") WHERE status = 'creating';--> statement-breakpoint
CREATE UNIQUE INDEX "gateway_accounts_hook_token_key" ON "gateway_accounts" USING btree ("hook_token");--> statement-breakpoint
CREATE INDEX "gateway_accounts_key_idx" ON "gateway_accounts" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "gateway_keys_seller_idx" ON "gateway_keys" USING btree ("seller_id","provider");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_webhooks_dedupe_key" ON "payment_webhooks" USING btree ("dedupe_key");--> statement-breakpoint
CREATE INDEX "payment_webhooks_charge_idx" ON "payment_webhooks" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "payment_webhooks_unhandled_idx" ON "payment_webhooks" USING btree ("charge_id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "payment_webhooks_received_idx" ON "payment_webhooks" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "refunds_charge_idx" ON "refunds" USING btree ("charge_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_pending_key" ON "refunds" USING btree ("charge_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "refunds_unconfirmed_idx" ON "refunds" USING btree ("ended_at") WHERE status = 'unconfirmed';--> statement-breakpoint
CREATE INDEX "refunds_pending_idx" ON "refunds" USING btree ("requested_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "order_bumps_product_idx" ON "order_bumps" USING btree ("product_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "products_checkout_slug_key" ON "products" USING btree (lower("checkout_slug"));--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "upsell_offers_product_idx" ON "upsell_offers" USING btree ("product_id","position");--> statement-breakpoint
CREATE INDEX "report_days_idx" ON "report_days" USING btree ("seller_id","dimension","day");--> statement-breakpoint
CREATE INDEX "report_marks_idx" ON "report_marks" USING btree ("seller_id","day");--> statement-breakpoint
CREATE INDEX "sale_events_sale_idx" ON "sale_events" USING btree ("sale_id","id");--> statement-breakpoint
CREATE INDEX "sale_lines_sale_idx" ON "sale_lines" USING btree ("sale_id","position");--> statement-breakpoint
CREATE INDEX "sale_lines_product_idx" ON "sale_lines" USING btree ("product_id") WHERE product_id is not null;--> statement-breakpoint
CREATE INDEX "sale_lines_order_bump_idx" ON "sale_lines" USING btree ("order_bump_id") WHERE order_bump_id is not null;--> statement-breakpoint
CREATE INDEX "sale_lines_upsell_offer_idx" ON "sale_lines" USING btree ("upsell_offer_id") WHERE upsell_offer_id is not null;--> statement-breakpoint
CREATE INDEX "sales_seller_idx" ON "sales" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_status_idx" ON "sales" USING btree ("seller_id","status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_product_idx" ON "sales" USING btree ("product_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_buyer_idx" ON "sales" USING btree ("seller_id","customer_email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "sales_buyer_words_idx" ON "sales" USING gin (to_tsvector('simple', regexp_replace(lower(translate(coalesce(customer_name, '') || ' ' || split_part(coalesce(customer_email, ''), '@', 1), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ.+_-/:''"()&#', 'AAAAAEEEEIIIIOOOOOUUUUCNaaaaaeeeeiiiiooooouuuucn            ')), '([a-z0-9]+)', 's' || left(replace(seller_id::text, '-', ''), 16) || (extract(year from created_at at time zone 'UTC') * 100 + extract(month from created_at at time zone 'UTC') - 200000)::int::text || '\1', 'g')));--> statement-breakpoint
CREATE INDEX "sales_customer_idx" ON "sales" USING btree ("customer_email","product_id") WHERE customer_email is not null;--> statement-breakpoint
CREATE INDEX "sales_order_key_idx" ON "sales" USING btree ("order_key","created_at");--> statement-breakpoint
CREATE INDEX "sales_client_idx" ON "sales" USING btree ("client_key","created_at") WHERE client_key is not null;--> statement-breakpoint
CREATE INDEX "sales_customer_email_idx" ON "sales" USING btree ("customer_email","created_at");--> statement-breakpoint
CREATE INDEX "sales_pending_idx" ON "sales" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "sales_parent_idx" ON "sales" USING btree ("parent_sale_id") WHERE parent_sale_id is not null;--> statement-breakpoint
CREATE INDEX "sales_seller_completed_idx" ON "sales" USING btree ("seller_id","completed_at") WHERE completed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_seller_idx" ON "api_keys" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_tokens_hash_key" ON "email_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "email_tokens_seller_idx" ON "email_tokens" USING btree ("seller_id","purpose");--> statement-breakpoint
CREATE INDEX "email_tokens_expires_idx" ON "email_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "held_forms_token_hash_key" ON "held_forms" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "held_forms_seller_idx" ON "held_forms" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "held_forms_expires_idx" ON "held_forms" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_email_key" ON "sellers" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_oauth_subject_key" ON "sellers" USING btree ("oauth_subject");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_seller_idx" ON "sessions" USING btree ("seller_id","last_used_at");--> statement-breakpoint
CREATE INDEX "sessions_expires_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "offer_showings_offer_idx" ON "offer_showings" USING btree ("offer_id");--> statement-breakpoint
CREATE INDEX "throttles_expire_idx" ON "throttles" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "throttles_prefix_idx" ON "throttles" USING btree ("key" varchar_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_events_state_key" ON "tracking_events" USING btree ("sale_id","state","resend");--> statement-breakpoint
CREATE INDEX "tracking_events_text_idx" ON "tracking_events" USING btree ("created_at") WHERE cleared_at is null and status <> 'queued';--> statement-breakpoint
CREATE INDEX "tracking_events_seller_idx" ON "tracking_events" USING btree ("seller_id","attempted_at" DESC NULLS LAST);--> statement-breakpoint
-- Days and buyers whose kept figures a change of a sale makes out of date: those it counted on and those it counts on now.
CREATE FUNCTION mark_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day, email)
  SELECT DISTINCT v.seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
  FROM (VALUES
    (new.seller_id, new.created_at, NULL), (new.seller_id, new.completed_at, new.customer_email),
    (old.seller_id, old.created_at, NULL), (old.seller_id, old.completed_at, old.customer_email)
  ) AS v (seller_id, at, email)
  WHERE v.at IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mark_sale AFTER INSERT OR DELETE OR UPDATE OF
  seller_id, product_id, parent_sale_id, status, amount_cents, fee_cents, refunded_cents, payment_method, customer_email,
  utm_source, utm_medium, utm_campaign, created_at, completed_at
ON sales FOR EACH ROW EXECUTE FUNCTION mark_sale();--> statement-breakpoint
CREATE FUNCTION mark_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day)
  VALUES (new.seller_id, (new.created_at AT TIME ZONE 'America/Sao_Paulo')::date);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mark_new_mail AFTER INSERT ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale')
EXECUTE FUNCTION mark_mail();--> statement-breakpoint
CREATE TRIGGER mark_mail AFTER UPDATE OF status, attempts ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale'
  AND (old.status, greatest(old.attempts, 1)) IS DISTINCT FROM (new.status, greatest(new.attempts, 1)))
EXECUTE FUNCTION mark_mail();
