CREATE TABLE "buyer_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"link_hash" text NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"scheduled_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sale_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answer" text,
	"answer_text" text,
	"answered_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "refund_requests_kind_check" CHECK ("refund_requests"."kind" in ('right', 'question')),
	CONSTRAINT "refund_requests_answer_check" CHECK ("refund_requests"."answer" in ('granted', 'declined')),
	CONSTRAINT "refund_requests_answered_check" CHECK (("refund_requests"."answer" is null) = ("refund_requests"."answered_at" is null))
);
--> statement-breakpoint
CREATE TABLE "paced_checks" (
	"charge_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"scheduled_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "paced_checks_seller_id_charge_id_pk" PRIMARY KEY("seller_id","charge_id")
);
--> statement-breakpoint
CREATE TABLE "payment_webhooks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"charge_id" uuid,
	"seller_id" uuid NOT NULL,
	"dedupe_key" text NOT NULL,
	"provider_id" text NOT NULL,
	"state" text NOT NULL,
	"provider_status" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp (3) with time zone,
	CONSTRAINT "payment_webhooks_state_check" CHECK ("payment_webhooks"."state" in ('open', 'in_review', 'declined', 'paid', 'expired', 'cancelled', 'disputed', 'refunded', 'chargedback', 'unclear'))
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"seller_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer,
	"release_at" timestamp (3) with time zone,
	"source_id" text NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_lines_seller_id_charge_id_kind_at_amount_cents_pk" PRIMARY KEY("seller_id","charge_id","kind","at","amount_cents"),
	CONSTRAINT "statement_lines_kind_check" CHECK ("statement_lines"."kind" in ('payment', 'refund', 'chargeback'))
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid,
	"requested_at" timestamp (3) with time zone,
	"task_id" text,
	"next_attempt_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure_kind" text,
	"read_at" timestamp (3) with time zone,
	"other_payments" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "statements_seller_id_provider_day_pk" PRIMARY KEY("seller_id","provider","day"),
	CONSTRAINT "statements_failure_check" CHECK ("statements"."failure_kind" in ('refused', 'credentials', 'busy', 'no-answer', 'nonsense'))
);
--> statement-breakpoint
CREATE TABLE "webhook_tests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"gateway_key_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"requested_at" timestamp (3) with time zone,
	"provider_id" text,
	"ordered_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	"arrival" text,
	"arrived_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"cancel_failure" text,
	"paid_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"scheduled_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_tests_failure_kind_check" CHECK ("webhook_tests"."failure_kind" in ('refused', 'credentials', 'busy', 'no-answer', 'nonsense')),
	CONSTRAINT "webhook_tests_arrival_check" CHECK ("webhook_tests"."arrival" in ('other-topic', 'other-payment', 'wrong-signature', 'verified')),
	CONSTRAINT "webhook_tests_scheduled_check" CHECK ("webhook_tests"."ended_at" is not null or "webhook_tests"."scheduled_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_cents" integer,
	"includes_bumps" boolean DEFAULT false NOT NULL,
	"product_ids" bigint[],
	"offer_ids" uuid[],
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"max_uses" integer,
	"max_uses_per_buyer" integer,
	"minimum_cents" integer,
	"is_first_purchase_only" boolean DEFAULT false NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coupons_discount_check" CHECK (("coupons"."percent" is null) = ("coupons"."amount_cents" is not null)),
	CONSTRAINT "coupons_percent_check" CHECK ("coupons"."percent" between 1 and 100),
	CONSTRAINT "coupons_amount_check" CHECK ("coupons"."amount_cents" > 0),
	CONSTRAINT "coupons_bumps_check" CHECK ("coupons"."percent" is not null or not "coupons"."includes_bumps"),
	CONSTRAINT "coupons_uses_check" CHECK ("coupons"."uses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sequence" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "deliveries_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"destination_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid,
	"subject_id" uuid NOT NULL,
	"about_id" uuid NOT NULL,
	"event" text NOT NULL,
	"about_email_sealed" text,
	"part" smallint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"response_status" integer,
	"response_body" text,
	"body_sealed" text,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"scheduled_at" timestamp (3) with time zone DEFAULT now(),
	"parked_at" timestamp (3) with time zone,
	"request_id" text,
	"cleared_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_event_check" CHECK ("deliveries"."event" in ('checkout.started', 'pix.generated', 'pix.expired', 'sale.paid', 'sale.refused', 'refund.requested', 'sale.partially_refunded', 'sale.refunded', 'sale.disputed', 'sale.dispute_won', 'sale.chargedback', 'access.granted', 'access.revoked'))
);
--> statement-breakpoint
CREATE TABLE "destinations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"events" text[] NOT NULL,
	"product_ids" bigint[],
	"except_product_ids" bigint[],
	"settings" jsonb NOT NULL,
	"secret_sealed" text,
	"previous_secret_sealed" text,
	"previous_until" timestamp (3) with time zone,
	"token_sealed" text,
	"stopped_at" timestamp (3) with time zone,
	"stopped_reason" text,
	"deleted_at" timestamp (3) with time zone,
	"backoff_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"charge_id" uuid,
	"amount_cents" integer NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"origin" text NOT NULL,
	"note" text,
	"provider_id" text,
	"evidence_status" text,
	"evidence_due_at" timestamp (3) with time zone,
	"evidence_sent_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "disputes_status_check" CHECK ("disputes"."status" in ('open', 'won', 'lost', 'refunded')),
	CONSTRAINT "disputes_origin_check" CHECK ("disputes"."origin" in ('provider', 'seller')),
	CONSTRAINT "disputes_evidence_status_check" CHECK ("disputes"."evidence_status" in ('not_needed', 'needed', 'in_review', 'accepted', 'rejected', 'missed')),
	CONSTRAINT "disputes_amount_check" CHECK ("disputes"."amount_cents" > 0),
	CONSTRAINT "disputes_decided_check" CHECK (("disputes"."status" = 'open') = ("disputes"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "content_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"content_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"file_id" uuid,
	"url" text,
	"html" text,
	"stamped_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "content_items_kind_check" CHECK ("content_items"."kind" in ('file', 'link', 'text')),
	CONSTRAINT "content_items_file_check" CHECK (("content_items"."kind" = 'file') = ("content_items"."file_id" is not null)),
	CONSTRAINT "content_items_url_check" CHECK (("content_items"."kind" = 'link') = ("content_items"."url" is not null)),
	CONSTRAINT "content_items_html_check" CHECK (("content_items"."kind" = 'text') = ("content_items"."html" is not null))
);
--> statement-breakpoint
CREATE TABLE "contents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint,
	"order_bump_id" bigint,
	"upsell_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contents_owner_check" CHECK (num_nonnulls("contents"."product_id", "contents"."order_bump_id", "contents"."upsell_id") <= 1)
);
--> statement-breakpoint
CREATE TABLE "download_resets" (
	"sale_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "download_resets_seller_id_sale_id_pk" PRIMARY KEY("seller_id","sale_id")
);
--> statement-breakpoint
CREATE TABLE "downloads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "downloads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"line_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"ticket" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dropped_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dropped_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_id" uuid,
	"replaces_item_id" uuid,
	"size" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"content_type" text,
	"upload_ref" text,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"is_copy" boolean DEFAULT false NOT NULL,
	"missing_at" timestamp (3) with time zone,
	"lease" uuid,
	"leased_until" timestamp (3) with time zone,
	CONSTRAINT "files_size_check" CHECK ("files"."size" > 0 and "files"."received" between 0 and "files"."size"),
	CONSTRAINT "files_ready_check" CHECK (("files"."ready_at" is not null) = ("files"."content_type" is not null))
);
--> statement-breakpoint
CREATE TABLE "line_contents" (
	"line_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"content_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_marks" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "funnel_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "funnel_marks_seller_id_day_id_pk" PRIMARY KEY("seller_id","day","id")
);
--> statement-breakpoint
CREATE TABLE "funnel_orders" (
	"seller_id" uuid NOT NULL,
	"split" smallint NOT NULL,
	"day" date NOT NULL,
	"product_id" bigint NOT NULL,
	"campaign" text NOT NULL,
	"device" text NOT NULL,
	"pix" integer NOT NULL,
	"paid" integer NOT NULL,
	"upsells" integer NOT NULL,
	"upsells_paid" integer NOT NULL,
	"reminded" integer NOT NULL,
	"recovered" integer NOT NULL,
	"recovered_cents" bigint NOT NULL,
	"in2m" integer NOT NULL,
	"in5m" integer NOT NULL,
	"in15m" integer NOT NULL,
	"in1h" integer NOT NULL,
	"in1d" integer NOT NULL,
	"in_more" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_views" (
	"seller_id" uuid NOT NULL,
	"split" smallint NOT NULL,
	"day" date NOT NULL,
	"product_id" bigint NOT NULL,
	"campaign" text NOT NULL,
	"device" text NOT NULL,
	"seen" integer NOT NULL,
	"begun" integer NOT NULL,
	CONSTRAINT "funnel_views_seller_id_split_device_day_product_id_campaign_pk" PRIMARY KEY("seller_id","split","device","day","product_id","campaign")
);
--> statement-breakpoint
CREATE TABLE "queue_workers" (
	"worker_id" text PRIMARY KEY NOT NULL,
	"backend_pid" integer NOT NULL,
	"backend_start" timestamp (3) with time zone NOT NULL,
	"heartbeat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"simple" jsonb,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_events" (
	"hook_id" uuid NOT NULL,
	"svix_id" text NOT NULL,
	"seller_id" uuid,
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
CREATE TABLE "mail_account_pauses" (
	"account" text PRIMARY KEY NOT NULL,
	"via" text NOT NULL,
	"paused_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"refusals" integer NOT NULL,
	"paused_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_paces" (
	"account" text PRIMARY KEY NOT NULL,
	"next_slot_at" timestamp (3) with time zone NOT NULL,
	"interval_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid,
	"sale_id" uuid,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text,
	"idempotency_key" text NOT NULL,
	"via" text DEFAULT 'platform' NOT NULL,
	"status" text DEFAULT 'attempting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"failure" text,
	"provider_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"template_failed_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"bounced_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	CONSTRAINT "mails_seller_check" CHECK (sale_id is null or seller_id is not null)
);
--> statement-breakpoint
CREATE TABLE "queued_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"scheduled_at" timestamp (3) with time zone DEFAULT now(),
	"leased_until" timestamp (3) with time zone,
	"slot_at" timestamp (3) with time zone,
	"claimed_at" timestamp (3) with time zone,
	"uncertain_since" timestamp (3) with time zone,
	"template_failed_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"priority" smallint DEFAULT 2 NOT NULL,
	"via" text DEFAULT 'platform' NOT NULL,
	"account" text,
	"request_id" text,
	"data" jsonb,
	"body_sealed" text,
	CONSTRAINT "queued_mails_text_check" CHECK (num_nonnulls(data, body_sealed) > 0)
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"scheduled_at" timestamp (3) with time zone NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "checkout_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"offer_id" uuid,
	CONSTRAINT "checkout_slugs_owner_key" UNIQUE NULLS NOT DISTINCT("seller_id","product_id","offer_id")
);
--> statement-breakpoint
CREATE TABLE "freed_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"freed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"slug" text,
	"bump_ids" bigint[],
	"upsell_ids" bigint[],
	"content_item_ids" uuid[],
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"max_units" integer,
	"max_units_per_buyer" integer,
	"min_quantity" integer DEFAULT 1 NOT NULL,
	"max_quantity" integer DEFAULT 1 NOT NULL,
	"units" integer DEFAULT 0 NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offers_seller_key" UNIQUE("seller_id","id"),
	CONSTRAINT "offers_kind_check" CHECK ("offers"."kind" in ('link', 'listed', 'tier')),
	CONSTRAINT "offers_price_check" CHECK ("offers"."price_cents" >= 0),
	CONSTRAINT "offers_units_check" CHECK ("offers"."units" >= 0),
	CONSTRAINT "offers_quantity_check" CHECK ("offers"."min_quantity" between 1 and "offers"."max_quantity")
);
--> statement-breakpoint
CREATE TABLE "charge_events" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "charge_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "charge_events_seller_id_charge_id_id_pk" PRIMARY KEY("seller_id","charge_id","id"),
	CONSTRAINT "charge_events_kind_check" CHECK ("charge_events"."kind" in ('requested', 'made', 'asked', 'unanswered', 'in_review', 'declined', 'paid', 'surplus', 'mispaid', 'expired', 'cancelled', 'failed', 'refund_requested', 'refund_accepted', 'refund_refused', 'refund_unconfirmed', 'refund_done', 'refund_withdrawn', 'not_returned')),
	CONSTRAINT "charge_events_cause_check" CHECK ("charge_events"."cause" in ('buyer', 'seller', 'provider', 'clock', 'system'))
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"method" text DEFAULT 'pix' NOT NULL,
	"gateway_key_id" uuid,
	"reference" text NOT NULL,
	"provider_id" text,
	"status" text DEFAULT 'creating' NOT NULL,
	"amount_cents" integer NOT NULL,
	"paid_cents" integer,
	"fee_cents" integer,
	"pix_code" text,
	"expires_at" timestamp (3) with time zone,
	"instalments" integer,
	"buyer_cents" integer,
	"decline_reason" text,
	"creating_until" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"overpaid_at" timestamp (3) with time zone,
	"last_checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"requested_by" text,
	"checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "charges_status_check" CHECK ("charges"."status" in ('creating', 'open', 'unknown', 'in_review', 'declined', 'paid', 'mispaid', 'failed', 'expired', 'cancelled')),
	CONSTRAINT "charges_amount_check" CHECK ("charges"."amount_cents" > 0 and "charges"."paid_cents" > 0),
	CONSTRAINT "charges_paid_check" CHECK (("charges"."status" in ('paid', 'mispaid')) = ("charges"."paid_at" is not null and "charges"."paid_cents" is not null)),
	CONSTRAINT "charges_paid_amount_check" CHECK ("charges"."status" <> 'paid' or "charges"."paid_cents" = "charges"."amount_cents"),
	CONSTRAINT "charges_overpaid_check" CHECK ("charges"."overpaid_at" is null or "charges"."status" = 'paid'),
	CONSTRAINT "charges_method_check" CHECK ("charges"."method" in ('pix', 'card')),
	CONSTRAINT "charges_instalments_check" CHECK (("charges"."method" = 'card') = ("charges"."instalments" is not null)),
	CONSTRAINT "charges_declined_check" CHECK (("charges"."status" = 'declined') = ("charges"."decline_reason" is not null)),
	CONSTRAINT "charges_card_status_check" CHECK ("charges"."status" not in ('unknown', 'in_review', 'declined') or "charges"."method" = 'card'),
	CONSTRAINT "charges_failure_check" CHECK (("charges"."status" = 'failed') = ("charges"."failure_kind" is not null))
);
--> statement-breakpoint
CREATE TABLE "gateway_accounts" (
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"cards_enabled_at" timestamp (3) with time zone,
	"position" integer DEFAULT 0 NOT NULL,
	"key_id" uuid,
	"key_refused_at" timestamp (3) with time zone,
	"next_spare_test_at" timestamp (3) with time zone,
	"spare_failure" text,
	"public_key_sealed" text,
	"webhook_secret_sealed" text,
	"hook_token" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_paced_check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gateway_accounts_seller_id_provider_pk" PRIMARY KEY("seller_id","provider")
);
--> statement-breakpoint
CREATE TABLE "gateway_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"api_key_sealed" text,
	"accepted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"origin" text NOT NULL,
	"provider_id" text,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"send_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"dismissed_at" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	CONSTRAINT "refunds_status_check" CHECK ("refunds"."status" in ('pending', 'refused', 'unconfirmed', 'done')),
	CONSTRAINT "refunds_origin_check" CHECK ("refunds"."origin" in ('requested', 'automatic', 'recorded', 'observed')),
	CONSTRAINT "refunds_amount_check" CHECK ("refunds"."amount_cents" > 0),
	CONSTRAINT "refunds_send_check" CHECK ("refunds"."send_at" is null or "refunds"."origin" = 'automatic'),
	CONSTRAINT "refunds_ended_check" CHECK (("refunds"."status" = 'pending') = ("refunds"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"use" text NOT NULL,
	"source_id" uuid,
	"scheduled_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"key" text,
	"pack_id" uuid,
	"variants" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"width" integer,
	"height" integer,
	"fallback" text,
	"is_animated" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp (3) with time zone,
	CONSTRAINT "pictures_use_check" CHECK ("pictures"."use" in ('product', 'bump', 'offer', 'banner', 'logo')),
	CONSTRAINT "pictures_failure_check" CHECK ("pictures"."failure" in ('heic', 'vector', 'unknown', 'broken', 'points', 'heavy')),
	CONSTRAINT "pictures_ready_check" CHECK (("pictures"."ready_at" is not null) = (num_nulls("pictures"."key", "pictures"."pack_id", "pictures"."width", "pictures"."height", "pictures"."fallback") = 0))
);
--> statement-breakpoint
CREATE TABLE "order_bumps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_bumps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"discount_percentage" integer,
	"image_url" text,
	"file_url" text,
	"last_file_url" text,
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
	"last_file_url" text,
	"redirect_url" text,
	"promotion_text" text,
	"urgency_text" text,
	"banner_image_url" text,
	"banner_link_url" text,
	"checkout_slug" text,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_seller_key" UNIQUE("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "upsell_sale_counts" (
	"upsell_id" bigint NOT NULL,
	"seller_id" uuid NOT NULL,
	"shard" integer NOT NULL,
	"completed" integer NOT NULL,
	CONSTRAINT "upsell_sale_counts_upsell_id_shard_pk" PRIMARY KEY("upsell_id","shard")
);
--> statement-breakpoint
CREATE TABLE "upsells" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "upsells_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"discount_percentage" integer,
	"image_url" text,
	"file_url" text,
	"last_file_url" text,
	"video_url" text,
	"benefits" text[] DEFAULT '{}' NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
	"fee_cents" bigint NOT NULL,
	"without_fee" integer NOT NULL,
	"with_bump" integer NOT NULL,
	"upsells" integer NOT NULL,
	"discount_cents" bigint NOT NULL,
	"mails" integer NOT NULL,
	"mails_sent" integer NOT NULL,
	"mails_failed" integer NOT NULL,
	"mail_attempts" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_marks" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "report_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"email" text,
	CONSTRAINT "report_marks_seller_id_day_id_pk" PRIMARY KEY("seller_id","day","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"seller_id" uuid,
	"sale_id" uuid,
	"charge_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_seller_check" CHECK ("idempotency_keys"."sale_id" is null or "idempotency_keys"."seller_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sale_events" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sale_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sale_events_seller_id_sale_id_id_pk" PRIMARY KEY("seller_id","sale_id","id"),
	CONSTRAINT "sale_events_kind_check" CHECK ("sale_events"."kind" in ('placed', 'completed', 'failed', 'reopened', 'cancelled', 'disputed', 'evidence_sent', 'dispute_won', 'refunded', 'chargedback', 'partly_refunded', 'customer_edited', 'viewed', 'downloaded')),
	CONSTRAINT "sale_events_cause_check" CHECK ("sale_events"."cause" in ('buyer', 'seller', 'provider', 'clock', 'system'))
);
--> statement-breakpoint
CREATE TABLE "sale_lines" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"product_id" bigint,
	"order_bump_id" bigint,
	"upsell_id" bigint,
	"item_id" bigint,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"price_cents" integer NOT NULL,
	"discount_cents" integer DEFAULT 0 NOT NULL,
	"method_discount_cents" integer DEFAULT 0 NOT NULL,
	"pix_discount_cents" integer DEFAULT 0 NOT NULL,
	"file_url" text,
	CONSTRAINT "sale_lines_kind_check" CHECK ("sale_lines"."kind" in ('product', 'bump', 'offer')),
	CONSTRAINT "sale_lines_price_check" CHECK ("sale_lines"."price_cents" >= 0 and "sale_lines"."discount_cents" >= 0 and "sale_lines"."method_discount_cents" in (0, "sale_lines"."pix_discount_cents") and "sale_lines"."pix_discount_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sales" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"parent_sale_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"amount_cents" integer NOT NULL,
	"pix_discount_cents" integer DEFAULT 0 NOT NULL,
	"coupon_id" uuid,
	"coupon_code" text,
	"offer_id" uuid,
	"offer_name" text,
	"quantity" integer DEFAULT 1 NOT NULL,
	"payment_method" text DEFAULT 'pix' NOT NULL,
	"customer_name" text,
	"customer_email" text,
	"email_corrected_at" timestamp (3) with time zone,
	"customer_phone" text,
	"customer_document_sealed" text,
	"customer_ip" text,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_term" text,
	"utm_content" text,
	"campaign" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ad_consent" boolean,
	"ad_ids" jsonb,
	"guarantee_days" integer,
	"order_key" text NOT NULL,
	"submission_key" text,
	"client_key" text,
	"device" text,
	"seen_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"refunded_at" timestamp (3) with time zone,
	"access_suspended_at" timestamp (3) with time zone,
	"cancelled_since" timestamp (3) with time zone,
	"cancelled_checked_at" timestamp (3) with time zone,
	"fee_cents" integer,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"extra_net_cents" integer DEFAULT 0 NOT NULL,
	"extra_fee_cents" integer DEFAULT 0 NOT NULL,
	"action_since" timestamp (3) with time zone,
	"anonymized_at" timestamp (3) with time zone,
	"anonymized_as" text,
	CONSTRAINT "sales_status_check" CHECK ("sales"."status" in ('pending', 'completed', 'failed', 'cancelled', 'disputed', 'refunded', 'chargedback')),
	CONSTRAINT "sales_amount_check" CHECK ("sales"."amount_cents" >= 0),
	CONSTRAINT "sales_customer_check" CHECK ('' not in ("sales"."customer_name", "sales"."customer_email", "sales"."customer_phone")),
	CONSTRAINT "sales_refunded_cents_check" CHECK ("sales"."refunded_cents" between 0 and "sales"."amount_cents"),
	CONSTRAINT "sales_completed_at_check" CHECK (("sales"."status" in ('completed', 'disputed', 'refunded', 'chargedback')) = ("sales"."completed_at" is not null)),
	CONSTRAINT "sales_access_suspended_check" CHECK ("sales"."access_suspended_at" is null or "sales"."status" = 'disputed'),
	CONSTRAINT "sales_refunded_at_check" CHECK (("sales"."status" = 'refunded') = ("sales"."refunded_at" is not null)),
	CONSTRAINT "sales_offer_check" CHECK (("sales"."offer_id" is null) = ("sales"."offer_name" is null)),
	CONSTRAINT "sales_quantity_check" CHECK ("sales"."quantity" >= 1),
	CONSTRAINT "sales_coupon_check" CHECK (("sales"."coupon_id" is null) = ("sales"."coupon_code" is null))
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
	"suspends_disputed" boolean DEFAULT false NOT NULL,
	"refunds_overpayments" boolean DEFAULT false NOT NULL,
	"checkout_seen_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"anonymized_at" timestamp (3) with time zone
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
CREATE TABLE "stamped_copies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"sale_id" uuid,
	"text_key" text,
	"scheduled_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"duration_ms" integer,
	"copy_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamped_copies_failure_check" CHECK ("stamped_copies"."failure" in ('locked', 'signed', 'broken', 'pages', 'heavy', 'full', 'gone')),
	CONSTRAINT "stamped_copies_text_check" CHECK (("stamped_copies"."sale_id" is not null) = ("stamped_copies"."text_key" is not null))
);
--> statement-breakpoint
CREATE TABLE "checkout_customizations" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_details" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"legal_name" text NOT NULL,
	"tax_id" text NOT NULL,
	"street" text NOT NULL,
	"number" text NOT NULL,
	"complement" text,
	"district" text NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"postal_code" text NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "thank_you_customizations" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upsell_showings" (
	"sale_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"upsell_id" bigint NOT NULL,
	"shown_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "upsell_showings_seller_id_sale_id_upsell_id_pk" PRIMARY KEY("seller_id","sale_id","upsell_id")
);
--> statement-breakpoint
CREATE TABLE "coupon_uses" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"coupon_id" uuid NOT NULL,
	"email_hash" text,
	"document_hash" text,
	"released_at" timestamp (3) with time zone,
	"is_over_limit" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offer_uses" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"email_hash" text,
	"document_hash" text,
	"released_at" timestamp (3) with time zone,
	"is_over_limit" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paced_checks" ADD CONSTRAINT "paced_checks_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_webhooks" ADD CONSTRAINT "payment_webhooks_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_webhooks" ADD CONSTRAINT "payment_webhooks_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_tests" ADD CONSTRAINT "webhook_tests_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_tests" ADD CONSTRAINT "webhook_tests_gateway_key_id_gateway_keys_id_fk" FOREIGN KEY ("gateway_key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_destination_id_destinations_id_fk" FOREIGN KEY ("destination_id") REFERENCES "public"."destinations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_order_bump_id_order_bumps_id_fk" FOREIGN KEY ("order_bump_id") REFERENCES "public"."order_bumps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_upsell_id_upsells_id_fk" FOREIGN KEY ("upsell_id") REFERENCES "public"."upsells"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "download_resets" ADD CONSTRAINT "download_resets_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "download_resets" ADD CONSTRAINT "download_resets_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_line_id_sale_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."sale_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_contents" ADD CONSTRAINT "line_contents_line_id_sale_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."sale_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_contents" ADD CONSTRAINT "line_contents_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_contents" ADD CONSTRAINT "line_contents_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_orders" ADD CONSTRAINT "funnel_orders_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_views" ADD CONSTRAINT "funnel_views_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_domains" ADD CONSTRAINT "email_domains_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_hook_id_mail_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."mail_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_hooks" ADD CONSTRAINT "mail_hooks_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_opt_outs" ADD CONSTRAINT "reminder_opt_outs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queued_mails" ADD CONSTRAINT "queued_mails_id_mails_id_fk" FOREIGN KEY ("id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_slugs" ADD CONSTRAINT "checkout_slugs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_slugs" ADD CONSTRAINT "checkout_slugs_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "freed_slugs" ADD CONSTRAINT "freed_slugs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charge_events" ADD CONSTRAINT "charge_events_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charge_events" ADD CONSTRAINT "charge_events_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_gateway_key_id_gateway_keys_id_fk" FOREIGN KEY ("gateway_key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_key_id_gateway_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway_keys" ADD CONSTRAINT "gateway_keys_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_source_id_files_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_pack_id_files_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_bumps" ADD CONSTRAINT "order_bumps_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_bumps" ADD CONSTRAINT "order_bumps_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_sale_counts" ADD CONSTRAINT "upsell_sale_counts_upsell_id_upsells_id_fk" FOREIGN KEY ("upsell_id") REFERENCES "public"."upsells"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_sale_counts" ADD CONSTRAINT "upsell_sale_counts_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsells" ADD CONSTRAINT "upsells_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsells" ADD CONSTRAINT "upsells_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_buyer_days" ADD CONSTRAINT "report_buyer_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_buyers" ADD CONSTRAINT "report_buyers_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_days" ADD CONSTRAINT "report_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_events" ADD CONSTRAINT "sale_events_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_events" ADD CONSTRAINT "sale_events_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_order_bump_id_order_bumps_id_fk" FOREIGN KEY ("order_bump_id") REFERENCES "public"."order_bumps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_upsell_id_upsells_id_fk" FOREIGN KEY ("upsell_id") REFERENCES "public"."upsells"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_parent_sale_id_sales_id_fk" FOREIGN KEY ("parent_sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_forms" ADD CONSTRAINT "held_forms_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamped_copies" ADD CONSTRAINT "stamped_copies_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamped_copies" ADD CONSTRAINT "stamped_copies_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamped_copies" ADD CONSTRAINT "stamped_copies_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamped_copies" ADD CONSTRAINT "stamped_copies_copy_id_files_id_fk" FOREIGN KEY ("copy_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_customizations" ADD CONSTRAINT "checkout_customizations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store_details" ADD CONSTRAINT "store_details_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thank_you_customizations" ADD CONSTRAINT "thank_you_customizations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_showings" ADD CONSTRAINT "upsell_showings_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_showings" ADD CONSTRAINT "upsell_showings_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upsell_showings" ADD CONSTRAINT "upsell_showings_upsell_id_upsells_id_fk" FOREIGN KEY ("upsell_id") REFERENCES "public"."upsells"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_sessions_link_hash_key" ON "buyer_sessions" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_sessions_token_hash_key" ON "buyer_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "buyer_sessions_expires_idx" ON "buyer_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "erasures_email_key" ON "erasures" USING btree ("email");--> statement-breakpoint
CREATE INDEX "erasures_scheduled_idx" ON "erasures" USING btree ("scheduled_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_sale_key" ON "refund_requests" USING btree ("seller_id","sale_id","kind");--> statement-breakpoint
CREATE INDEX "refund_requests_seller_idx" ON "refund_requests" USING btree ("seller_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refund_requests_waiting_idx" ON "refund_requests" USING btree ("seller_id","created_at") WHERE kind = 'question' and answer is null;--> statement-breakpoint
CREATE INDEX "refund_requests_failed_idx" ON "refund_requests" USING btree ("seller_id","failed_at") WHERE failed_at is not null and next_attempt_at is null;--> statement-breakpoint
CREATE INDEX "refund_requests_next_attempt_idx" ON "refund_requests" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "paced_checks_account_idx" ON "paced_checks" USING btree ("seller_id","provider","scheduled_at");--> statement-breakpoint
CREATE INDEX "paced_checks_scheduled_idx" ON "paced_checks" USING btree ("scheduled_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_webhooks_dedupe_key" ON "payment_webhooks" USING btree ("seller_id","dedupe_key");--> statement-breakpoint
CREATE INDEX "payment_webhooks_charge_idx" ON "payment_webhooks" USING btree ("seller_id","charge_id");--> statement-breakpoint
CREATE INDEX "payment_webhooks_unhandled_idx" ON "payment_webhooks" USING btree ("seller_id","charge_id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "payment_webhooks_seller_idx" ON "payment_webhooks" USING btree ("seller_id","received_at") WHERE handled_at is null and state = 'paid';--> statement-breakpoint
CREATE INDEX "payment_webhooks_received_idx" ON "payment_webhooks" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "statement_lines_at_idx" ON "statement_lines" USING btree ("seller_id","at");--> statement-breakpoint
CREATE INDEX "statement_lines_source_idx" ON "statement_lines" USING btree ("seller_id","source_id");--> statement-breakpoint
CREATE INDEX "statements_next_attempt_idx" ON "statements" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_tests_running_key" ON "webhook_tests" USING btree ("seller_id","provider") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "webhook_tests_account_idx" ON "webhook_tests" USING btree ("seller_id","provider","started_at");--> statement-breakpoint
CREATE INDEX "webhook_tests_scheduled_idx" ON "webhook_tests" USING btree ("scheduled_at") WHERE scheduled_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_tests_started_idx" ON "webhook_tests" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "webhook_tests_key_idx" ON "webhook_tests" USING btree ("gateway_key_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_key" ON "coupons" USING btree ("seller_id","code") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "coupons_seller_idx" ON "coupons" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_event_key" ON "deliveries" USING btree ("destination_id","about_id","event","part");--> statement-breakpoint
CREATE INDEX "deliveries_subject_idx" ON "deliveries" USING btree ("destination_id","subject_id","sequence") WHERE status = 'queued' and subject_id is not null;--> statement-breakpoint
CREATE INDEX "deliveries_scheduled_at_idx" ON "deliveries" USING btree ("scheduled_at") WHERE status = 'queued' and scheduled_at is not null;--> statement-breakpoint
CREATE INDEX "deliveries_leased_idx" ON "deliveries" USING btree ("destination_id") WHERE status = 'queued' and leased_until is not null;--> statement-breakpoint
CREATE INDEX "deliveries_parked_idx" ON "deliveries" USING btree ("destination_id","sequence") WHERE status = 'queued' and parked_at is not null;--> statement-breakpoint
CREATE INDEX "deliveries_log_idx" ON "deliveries" USING btree ("destination_id","sequence" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "deliveries_sale_idx" ON "deliveries" USING btree ("seller_id","sale_id");--> statement-breakpoint
CREATE INDEX "deliveries_text_idx" ON "deliveries" USING btree ("created_at") WHERE cleared_at is null and status <> 'queued';--> statement-breakpoint
CREATE INDEX "destinations_seller_idx" ON "destinations" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "destinations_utmify_key" ON "destinations" USING btree ("seller_id") WHERE kind = 'utmify' and deleted_at is null;--> statement-breakpoint
CREATE INDEX "disputes_sale_idx" ON "disputes" USING btree ("seller_id","sale_id","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_open_key" ON "disputes" USING btree ("seller_id","sale_id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "disputes_waiting_idx" ON "disputes" USING btree ("seller_id","opened_at") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "content_items_content_idx" ON "content_items" USING btree ("content_id","position");--> statement-breakpoint
CREATE INDEX "content_items_file_idx" ON "content_items" USING btree ("file_id") WHERE file_id is not null;--> statement-breakpoint
CREATE INDEX "contents_seller_idx" ON "contents" USING btree ("seller_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_product_key" ON "contents" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_order_bump_key" ON "contents" USING btree ("order_bump_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_upsell_key" ON "contents" USING btree ("upsell_id");--> statement-breakpoint
CREATE UNIQUE INDEX "downloads_ticket_key" ON "downloads" USING btree ("ticket");--> statement-breakpoint
CREATE INDEX "downloads_sale_idx" ON "downloads" USING btree ("sale_id","item_id","at");--> statement-breakpoint
CREATE INDEX "downloads_line_idx" ON "downloads" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "dropped_uploads_dropped_idx" ON "dropped_uploads" USING btree ("dropped_at");--> statement-breakpoint
CREATE INDEX "files_seller_idx" ON "files" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "files_touched_idx" ON "files" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "files_open_idx" ON "files" USING btree ("seller_id") WHERE ready_at is null;--> statement-breakpoint
CREATE INDEX "files_content_idx" ON "files" USING btree ("content_id") WHERE content_id is not null;--> statement-breakpoint
CREATE INDEX "line_contents_content_idx" ON "line_contents" USING btree ("content_id");--> statement-breakpoint
CREATE INDEX "funnel_orders_idx" ON "funnel_orders" USING btree ("seller_id","split","device","day");--> statement-breakpoint
CREATE INDEX "funnel_orders_product_idx" ON "funnel_orders" USING btree ("seller_id","split","product_id","device","day");--> statement-breakpoint
CREATE INDEX "funnel_orders_campaign_idx" ON "funnel_orders" USING btree ("seller_id","split","campaign","device","day");--> statement-breakpoint
CREATE INDEX "funnel_views_product_idx" ON "funnel_views" USING btree ("seller_id","split","product_id","device","day");--> statement-breakpoint
CREATE INDEX "funnel_views_campaign_idx" ON "funnel_views" USING btree ("seller_id","split","campaign","device","day");--> statement-breakpoint
CREATE INDEX "mail_events_mail_idx" ON "mail_events" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "mail_events_received_idx" ON "mail_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_hooks_hook_token_key" ON "mail_hooks" USING btree ("hook_token");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_idempotency_key" ON "mails" USING btree ("idempotency_key");--> statement-breakpoint
CREATE INDEX "mails_seller_idx" ON "mails" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_created_idx" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_failed_idx" ON "mails" USING btree ("seller_id","created_at") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "mails_failed_at_idx" ON "mails" USING btree ("failed_at") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "mails_sale_idx" ON "mails" USING btree ("seller_id","sale_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_refused_access_idx" ON "mails" USING btree ("seller_id","created_at") WHERE failure = 'refused' and kind in ('purchase', 'upsell', 'access');--> statement-breakpoint
CREATE INDEX "mails_recipient_idx" ON "mails" USING btree ("recipient") WHERE sale_id is null;--> statement-breakpoint
CREATE INDEX "mails_unpaid_idx" ON "mails" USING btree ("recipient","created_at") WHERE kind in ('pix', 'reminder');--> statement-breakpoint
CREATE INDEX "mails_corrected_idx" ON "mails" USING btree ("recipient") WHERE kind = 'email-corrected';--> statement-breakpoint
CREATE INDEX "queued_mails_priority_idx" ON "queued_mails" USING btree ("priority","scheduled_at");--> statement-breakpoint
CREATE INDEX "queued_mails_account_idx" ON "queued_mails" USING btree ("account","priority","created_at") WHERE account is not null;--> statement-breakpoint
CREATE INDEX "queued_mails_seller_idx" ON "queued_mails" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "queued_mails_waiting_idx" ON "queued_mails" USING btree ("created_at") WHERE scheduled_at is not null;--> statement-breakpoint
CREATE INDEX "queued_mails_failed_idx" ON "queued_mails" USING btree ("created_at") WHERE scheduled_at is null;--> statement-breakpoint
CREATE INDEX "reminders_scheduled_idx" ON "reminders" USING btree ("scheduled_at");--> statement-breakpoint
CREATE INDEX "freed_slugs_freed_idx" ON "freed_slugs" USING btree ("freed_at");--> statement-breakpoint
CREATE INDEX "offers_product_idx" ON "offers" USING btree ("seller_id","product_id","position");--> statement-breakpoint
CREATE INDEX "charges_sale_idx" ON "charges" USING btree ("seller_id","sale_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_reference_key" ON "charges" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_provider_id_key" ON "charges" USING btree ("provider","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_counting_key" ON "charges" USING btree ("seller_id","sale_id") WHERE status = 'paid' and overpaid_at is null;--> statement-breakpoint
CREATE INDEX "charges_seller_paid_idx" ON "charges" USING btree ("seller_id","paid_at") WHERE paid_at is not null;--> statement-breakpoint
CREATE INDEX "charges_extra_idx" ON "charges" USING btree ("paid_at") WHERE overpaid_at is not null or status = 'mispaid';--> statement-breakpoint
CREATE INDEX "charges_gateway_key_idx" ON "charges" USING btree ("gateway_key_id","created_at");--> statement-breakpoint
CREATE INDEX "charges_next_check_idx" ON "charges" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "charges_creating_idx" ON "charges" USING btree ("created_at") WHERE status = 'creating';--> statement-breakpoint
CREATE INDEX "charges_unchecked_idx" ON "charges" USING btree ("expires_at") WHERE status = 'open' and next_check_at is null;--> statement-breakpoint
CREATE INDEX "charges_unknown_idx" ON "charges" USING btree ("created_at") WHERE status = 'unknown';--> statement-breakpoint
CREATE INDEX "charges_undecided_idx" ON "charges" USING btree ("seller_id","created_at") WHERE status in ('unknown', 'in_review');--> statement-breakpoint
CREATE UNIQUE INDEX "gateway_accounts_hook_token_key" ON "gateway_accounts" USING btree ("hook_token");--> statement-breakpoint
CREATE INDEX "gateway_accounts_key_idx" ON "gateway_accounts" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "gateway_accounts_next_paced_check_idx" ON "gateway_accounts" USING btree ("next_paced_check_at");--> statement-breakpoint
CREATE INDEX "gateway_accounts_next_spare_test_idx" ON "gateway_accounts" USING btree ("next_spare_test_at") WHERE next_spare_test_at is not null;--> statement-breakpoint
CREATE INDEX "gateway_keys_seller_idx" ON "gateway_keys" USING btree ("seller_id","provider");--> statement-breakpoint
CREATE INDEX "refunds_charge_idx" ON "refunds" USING btree ("seller_id","charge_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_pending_key" ON "refunds" USING btree ("seller_id","charge_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "refunds_unconfirmed_idx" ON "refunds" USING btree ("ended_at") WHERE status = 'unconfirmed';--> statement-breakpoint
CREATE INDEX "refunds_pending_idx" ON "refunds" USING btree ("requested_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "refunds_send_idx" ON "refunds" USING btree ("send_at") WHERE send_at is not null;--> statement-breakpoint
CREATE INDEX "pictures_key_idx" ON "pictures" USING btree ("key") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "pictures_seller_idx" ON "pictures" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "pictures_scheduled_idx" ON "pictures" USING btree ("scheduled_at") WHERE scheduled_at is not null;--> statement-breakpoint
CREATE INDEX "pictures_touched_idx" ON "pictures" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "pictures_source_idx" ON "pictures" USING btree ("source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "pictures_pack_idx" ON "pictures" USING btree ("pack_id") WHERE pack_id is not null;--> statement-breakpoint
CREATE INDEX "order_bumps_product_idx" ON "order_bumps" USING btree ("seller_id","product_id","position");--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "upsells_product_idx" ON "upsells" USING btree ("seller_id","product_id","position");--> statement-breakpoint
CREATE INDEX "report_days_idx" ON "report_days" USING btree ("seller_id","dimension","day");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "throttles_expire_idx" ON "throttles" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "throttles_prefix_idx" ON "throttles" USING btree ("key" varchar_pattern_ops);--> statement-breakpoint
CREATE INDEX "sale_lines_sale_idx" ON "sale_lines" USING btree ("seller_id","sale_id","position");--> statement-breakpoint
CREATE INDEX "sale_lines_product_idx" ON "sale_lines" USING btree ("product_id") WHERE product_id is not null;--> statement-breakpoint
CREATE INDEX "sale_lines_order_bump_idx" ON "sale_lines" USING btree ("order_bump_id") WHERE order_bump_id is not null;--> statement-breakpoint
CREATE INDEX "sale_lines_upsell_idx" ON "sale_lines" USING btree ("upsell_id") WHERE upsell_id is not null;--> statement-breakpoint
CREATE INDEX "sales_seller_idx" ON "sales" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_cancelled_since_idx" ON "sales" USING btree ("seller_id","cancelled_since") WHERE cancelled_since is not null;--> statement-breakpoint
CREATE INDEX "sales_status_idx" ON "sales" USING btree ("seller_id","status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_method_idx" ON "sales" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id") WHERE payment_method <> 'pix';--> statement-breakpoint
CREATE INDEX "sales_product_idx" ON "sales" USING btree ("seller_id","product_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_buyer_idx" ON "sales" USING btree ("seller_id","customer_email" text_pattern_ops,"product_id");--> statement-breakpoint
CREATE INDEX "sales_buyer_search_idx" ON "sales" USING gin (to_tsvector('simple', regexp_replace(lower(translate(coalesce(customer_name, '') || ' ' || split_part(coalesce(customer_email, ''), '@', 1), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ.+_-/:''"()&#', 'AAAAAEEEEIIIIOOOOOUUUUCNaaaaaeeeeiiiiooooouuuucn            ')), '([a-z0-9]+)', 's' || left(replace(seller_id::text, '-', ''), 16) || (extract(year from created_at at time zone 'UTC') * 100 + extract(month from created_at at time zone 'UTC') - 200000)::int::text || '\1', 'g')));--> statement-breakpoint
CREATE INDEX "sales_order_key_idx" ON "sales" USING btree ("seller_id","order_key","created_at");--> statement-breakpoint
CREATE INDEX "sales_client_idx" ON "sales" USING btree ("client_key","created_at") WHERE client_key is not null;--> statement-breakpoint
CREATE INDEX "sales_customer_email_idx" ON "sales" USING btree ("customer_email","created_at");--> statement-breakpoint
CREATE INDEX "sales_buyer_portal_idx" ON "sales" USING btree ("customer_email","completed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "sales_pending_idx" ON "sales" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "sales_ad_ids_idx" ON "sales" USING btree ("created_at") WHERE ad_ids is not null;--> statement-breakpoint
CREATE INDEX "sales_pending_anonymization_idx" ON "sales" USING btree ("created_at") WHERE completed_at is null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "sales_anonymized_idx" ON "sales" USING btree ("anonymized_as","seller_id") WHERE anonymized_as is not null;--> statement-breakpoint
CREATE INDEX "sales_action_idx" ON "sales" USING btree ("seller_id","action_since") WHERE action_since is not null;--> statement-breakpoint
CREATE INDEX "sales_coupon_idx" ON "sales" USING btree ("coupon_id","created_at" DESC NULLS FIRST,"id") WHERE coupon_id is not null;--> statement-breakpoint
CREATE INDEX "sales_offer_idx" ON "sales" USING btree ("offer_id","created_at" DESC NULLS FIRST,"id") WHERE offer_id is not null;--> statement-breakpoint
CREATE INDEX "sales_parent_idx" ON "sales" USING btree ("seller_id","parent_sale_id") WHERE parent_sale_id is not null;--> statement-breakpoint
CREATE INDEX "sales_seller_completed_idx" ON "sales" USING btree ("seller_id","completed_at") WHERE completed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_seller_idx" ON "api_keys" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_tokens_hash_key" ON "email_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "email_tokens_seller_idx" ON "email_tokens" USING btree ("seller_id","purpose");--> statement-breakpoint
CREATE INDEX "email_tokens_expires_idx" ON "email_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "held_forms_token_hash_key" ON "held_forms" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "held_forms_seller_idx" ON "held_forms" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "held_forms_expires_idx" ON "held_forms" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sellers_closed_idx" ON "sellers" USING btree ("closed_at") WHERE closed_at is not null and anonymized_at is null;--> statement-breakpoint
CREATE INDEX "sellers_unconfirmed_idx" ON "sellers" USING btree ("created_at") WHERE email_verified_at is null and closed_at is null and anonymized_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_email_key" ON "sellers" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_oauth_subject_key" ON "sellers" USING btree ("oauth_subject");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_seller_idx" ON "sessions" USING btree ("seller_id","last_used_at");--> statement-breakpoint
CREATE INDEX "sessions_expires_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "stamped_copies_sale_key" ON "stamped_copies" USING btree ("sale_id","file_id","text_key") WHERE sale_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stamped_copies_trial_key" ON "stamped_copies" USING btree ("file_id") WHERE sale_id is null;--> statement-breakpoint
CREATE INDEX "stamped_copies_file_idx" ON "stamped_copies" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "stamped_copies_seller_idx" ON "stamped_copies" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "stamped_copies_scheduled_idx" ON "stamped_copies" USING btree ("scheduled_at") WHERE scheduled_at is not null;--> statement-breakpoint
CREATE INDEX "stamped_copies_requested_idx" ON "stamped_copies" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "stamped_copies_copy_idx" ON "stamped_copies" USING btree ("copy_id") WHERE copy_id is not null;--> statement-breakpoint
CREATE INDEX "upsell_showings_upsell_idx" ON "upsell_showings" USING btree ("upsell_id");--> statement-breakpoint
CREATE INDEX "coupon_uses_email_idx" ON "coupon_uses" USING btree ("coupon_id","email_hash");--> statement-breakpoint
CREATE INDEX "coupon_uses_document_idx" ON "coupon_uses" USING btree ("coupon_id","document_hash");--> statement-breakpoint
CREATE INDEX "offer_uses_email_idx" ON "offer_uses" USING btree ("offer_id","email_hash");--> statement-breakpoint
CREATE INDEX "offer_uses_document_idx" ON "offer_uses" USING btree ("offer_id","document_hash");--> statement-breakpoint
-- Functions and triggers of the baseline, each as it ends up. Hand-kept: README.md.

-- Days and buyers whose kept figures a change of a sale makes out of date: those it counted on and those it counts on now. The
-- buyer of an emptied sale goes on being counted, under the name drawn for them.
CREATE FUNCTION mark_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day, email)
  SELECT DISTINCT v.seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
  FROM (VALUES
    (new.seller_id, new.created_at, NULL),
    (new.seller_id, new.completed_at, coalesce(new.customer_email, new.anonymized_as)),
    (old.seller_id, old.created_at, NULL),
    (old.seller_id, old.completed_at, coalesce(old.customer_email, old.anonymized_as))
  ) AS v (seller_id, at, email)
  WHERE v.at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_sale AFTER INSERT OR DELETE OR UPDATE OF
  seller_id, product_id, parent_sale_id, status, amount_cents, fee_cents, refunded_cents, payment_method, customer_email,
  utm_source, utm_medium, utm_campaign, coupon_code, created_at, completed_at
ON sales FOR EACH ROW EXECUTE FUNCTION mark_sale();

CREATE FUNCTION mark_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day)
  VALUES (new.seller_id, (new.created_at AT TIME ZONE 'America/Sao_Paulo')::date);
  RETURN NULL;
END $$;
CREATE TRIGGER mark_new_mail AFTER INSERT ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale')
EXECUTE FUNCTION mark_mail();
CREATE TRIGGER mark_mail AFTER UPDATE OF status, attempts ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale'
  AND (old.status, greatest(old.attempts, 1)) IS DISTINCT FROM (new.status, greatest(new.attempts, 1)))
EXECUTE FUNCTION mark_mail();

CREATE FUNCTION queue_job(task text, payload json, run_at timestamptz, max_attempts int, priority int, job_key text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := coalesce(queue_job.run_at, now());
BEGIN
  LOOP
    INSERT INTO graphile_worker._private_jobs AS j (task_id, payload, run_at, max_attempts, priority, key)
      SELECT t.id, queue_job.payload, due, queue_job.max_attempts, queue_job.priority, queue_job.job_key
      FROM graphile_worker._private_tasks t WHERE t.identifier = queue_job.task
      ON CONFLICT (key) DO UPDATE SET task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
        max_attempts = excluded.max_attempts, priority = excluded.priority, job_queue_id = NULL, flags = NULL,
        revision = j.revision + 1, attempts = 0, last_error = NULL, updated_at = now()
      WHERE j.locked_at IS NULL;
    EXIT WHEN FOUND;
    INSERT INTO graphile_worker._private_tasks (identifier) VALUES (queue_job.task) ON CONFLICT DO NOTHING;
    UPDATE graphile_worker._private_jobs AS j SET key = NULL, attempts = j.max_attempts, updated_at = now()
      WHERE j.key = queue_job.job_key AND j.locked_at IS NOT NULL;
  END LOOP;
  IF due <= now() THEN
    PERFORM pg_notify('jobs:insert', '{"count":1}');
  END IF;
END $$;

-- An order's day is marked when a PIX of it, or of an offer taken after it, is made or paid, and when its buyer is reminded.
CREATE FUNCTION mark_funnel(of_seller uuid, about uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO funnel_marks (seller_id, day)
  SELECT o.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM sales s INNER JOIN sales o ON o.seller_id = s.seller_id AND o.id = coalesce(s.parent_sale_id, s.id)
  WHERE s.seller_id = of_seller AND s.id = about
$$;

CREATE FUNCTION mark_funnel_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.seller_id, new.id);
  RETURN NULL;
END $$;

CREATE FUNCTION mark_funnel_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION mark_funnel_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO funnel_marks (seller_id, day)
  SELECT old.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM (
    SELECT created_at FROM sales WHERE seller_id = old.seller_id AND id = old.parent_sale_id
    UNION ALL SELECT old.created_at WHERE old.parent_sale_id IS NULL
  ) o;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_funnel_gone AFTER DELETE ON sales FOR EACH ROW EXECUTE FUNCTION mark_funnel_gone();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON sales FOR EACH ROW
WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_sale();
CREATE TRIGGER mark_funnel AFTER UPDATE OF completed_at ON sales FOR EACH ROW
WHEN (old.completed_at IS DISTINCT FROM new.completed_at) EXECUTE FUNCTION mark_funnel_sale();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel AFTER UPDATE OF provider_id ON charges FOR EACH ROW
WHEN (old.provider_id IS NULL AND new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND new.sent_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel AFTER UPDATE OF sent_at ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND old.sent_at IS NULL AND new.sent_at IS NOT NULL)
EXECUTE FUNCTION mark_funnel_part();

-- What remains of a sale's payments that do not count; says what `paymentsOf` says of each. Its writers hold the sale's lock.
CREATE FUNCTION sum_extra_payments(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE sales s SET extra_net_cents = t.net, extra_fee_cents = t.fee FROM (
    -- No more went back than was received: a payment whose amount was corrected downwards may have had more refunded.
    SELECT coalesce(sum(greatest(c.paid_cents - coalesce(
      (SELECT sum(r.amount_cents) FROM refunds r WHERE r.seller_id = of_seller AND r.charge_id = c.id AND r.status = 'done'), 0), 0)
      - coalesce(c.fee_cents, 0)), 0)::int AS net, coalesce(sum(c.fee_cents), 0)::int AS fee
    FROM charges c WHERE c.seller_id = of_seller AND c.sale_id = of_sale AND (c.overpaid_at IS NOT NULL OR c.status = 'mispaid')
  ) t WHERE s.seller_id = of_seller AND s.id = of_sale AND (s.extra_net_cents, s.extra_fee_cents) <> (t.net, t.fee)
$$;

CREATE FUNCTION sum_extra_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION sum_extra_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(c.seller_id, c.sale_id) FROM charges c
  WHERE c.seller_id = new.seller_id AND c.id = new.charge_id AND (c.overpaid_at IS NOT NULL OR c.status = 'mispaid');
  RETURN NULL;
END $$;
CREATE TRIGGER sum_extra_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION sum_extra_of_charge();
CREATE TRIGGER sum_extra AFTER UPDATE OF status, overpaid_at, paid_cents, fee_cents ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid' OR old.overpaid_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION sum_extra_of_charge();
CREATE TRIGGER sum_extra_new AFTER INSERT ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();
CREATE TRIGGER sum_extra AFTER UPDATE OF status, amount_cents ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();
CREATE TRIGGER mark_sale_extra AFTER UPDATE OF extra_net_cents, extra_fee_cents ON sales FOR EACH ROW
WHEN ((old.extra_net_cents, old.extra_fee_cents) <> (new.extra_net_cents, new.extra_fee_cents)) EXECUTE FUNCTION mark_sale();

-- Since when money of a sale waits for its seller; says what `handsOf` says of its charges. The last of its writers is right.
CREATE FUNCTION set_action_since(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sales WHERE seller_id = of_seller AND id = of_sale FOR NO KEY UPDATE;
  UPDATE sales s SET action_since = t.since FROM (
    SELECT max(CASE WHEN r.status = 'unconfirmed' THEN r.ended_at
      WHEN c.overpaid_at IS NOT NULL OR c.status = 'mispaid' THEN c.paid_at
      WHEN r.status = 'refused' THEN r.ended_at END) AS since
    FROM charges c LEFT JOIN LATERAL (
      SELECT CASE WHEN dismissed_at IS NULL THEN status END AS status, ended_at
      FROM refunds WHERE seller_id = of_seller AND charge_id = c.id ORDER BY requested_at DESC, id DESC LIMIT 1) r ON true
    WHERE c.seller_id = of_seller AND c.sale_id = of_sale AND c.paid_cents > coalesce(
      (SELECT sum(d.amount_cents) FROM refunds d
        WHERE d.seller_id = of_seller AND d.charge_id = c.id AND d.status = 'done'), 0)
      AND NOT EXISTS (SELECT FROM refunds p
        WHERE p.seller_id = of_seller AND p.charge_id = c.id AND p.status = 'pending')
  ) t WHERE s.seller_id = of_seller AND s.id = of_sale AND s.action_since IS DISTINCT FROM t.since;
END $$;

CREATE FUNCTION set_action_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION set_action_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(c.seller_id, c.sale_id) FROM charges c
  WHERE c.seller_id = new.seller_id AND c.id = new.charge_id;
  RETURN NULL;
END $$;
CREATE TRIGGER set_action_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION set_action_of_charge();
CREATE TRIGGER set_action AFTER UPDATE OF status, overpaid_at, paid_cents, paid_at ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid' OR old.overpaid_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION set_action_of_charge();
CREATE TRIGGER set_action_new AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION set_action_of_refund();
CREATE TRIGGER set_action AFTER UPDATE OF status, amount_cents, ended_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();
CREATE TRIGGER set_action_dismissed AFTER UPDATE OF dismissed_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();

CREATE FUNCTION add_upsell_sale(of_upsell bigint, change int) RETURNS void LANGUAGE sql AS $$
  -- An offer that is being deleted is left out.
  INSERT INTO upsell_sale_counts AS c (upsell_id, seller_id, shard, completed)
  SELECT id, seller_id, pg_backend_pid() % 16, change FROM upsells WHERE id = of_upsell FOR KEY SHARE
  ON CONFLICT (upsell_id, shard) DO UPDATE SET completed = c.completed + excluded.completed
$$;

CREATE FUNCTION count_upsell_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_upsell_sale(l.upsell_id, CASE new.status WHEN 'completed' THEN 1 ELSE -1 END)
  FROM sale_lines l WHERE l.seller_id = new.seller_id AND l.sale_id = new.id AND l.upsell_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION count_upsell_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_upsell_sale(new.upsell_id, 1) FROM sales s
  WHERE s.seller_id = new.seller_id AND s.id = new.sale_id AND s.status = 'completed';
  RETURN NULL;
END $$;
CREATE TRIGGER count_upsell_sale AFTER UPDATE OF status ON sales FOR EACH ROW
WHEN ((old.status = 'completed') <> (new.status = 'completed') AND new.parent_sale_id IS NOT NULL)
EXECUTE FUNCTION count_upsell_sale();
CREATE TRIGGER count_upsell_line AFTER INSERT ON sale_lines FOR EACH ROW
WHEN (new.upsell_id IS NOT NULL) EXECUTE FUNCTION count_upsell_line();

CREATE FUNCTION note_dropped_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dropped_uploads (id) VALUES (old.id) ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_dropped AFTER DELETE ON files FOR EACH ROW
WHEN (old.ready_at IS NULL) EXECUTE FUNCTION note_dropped_upload();

-- Whether an order's use of a coupon, and the units that it takes of an offer, count: it is paid, or has a charge that can be
-- paid or was. A limit is checked where the use is reserved; an order that is paid late counts whatever the limit is, and is
-- marked where that is exceeded.
CREATE FUNCTION count_reserved(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counts boolean := EXISTS (SELECT FROM sales WHERE seller_id = of_seller AND id = of_sale AND completed_at IS NOT NULL)
    OR EXISTS (SELECT FROM charges
      WHERE seller_id = of_seller AND sale_id = of_sale AND status IN ('creating', 'open', 'unknown', 'in_review', 'paid', 'mispaid'));
  is_over boolean;
  use record;
BEGIN
  -- The offer first, as an order takes them: the other way round the two would deadlock.
  UPDATE offer_uses SET released_at = CASE WHEN counts THEN NULL ELSE now() END, is_over_limit = false
  WHERE seller_id = of_seller AND sale_id = of_sale AND (released_at IS NULL) <> counts RETURNING * INTO use;
  IF FOUND THEN
    UPDATE offers SET units = units + CASE WHEN counts THEN use.quantity ELSE -use.quantity END
    WHERE id = use.offer_id RETURNING counts AND units > max_units INTO is_over;
    IF is_over THEN
      UPDATE offer_uses SET is_over_limit = true WHERE seller_id = of_seller AND sale_id = of_sale;
    END IF;
  END IF;
  UPDATE coupon_uses SET released_at = CASE WHEN counts THEN NULL ELSE now() END, is_over_limit = false
  WHERE seller_id = of_seller AND sale_id = of_sale AND (released_at IS NULL) <> counts RETURNING * INTO use;
  IF FOUND THEN
    UPDATE coupons SET uses = uses + CASE WHEN counts THEN 1 ELSE -1 END
    WHERE id = use.coupon_id RETURNING counts AND uses > max_uses INTO is_over;
    IF is_over THEN
      UPDATE coupon_uses SET is_over_limit = true WHERE seller_id = of_seller AND sale_id = of_sale;
    END IF;
  END IF;
END $$;

CREATE FUNCTION count_reserved_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_reserved(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;
CREATE FUNCTION count_reserved_of_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_reserved(new.seller_id, new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER count_reserved AFTER UPDATE OF status ON charges FOR EACH ROW
WHEN ((old.status IN ('failed', 'expired', 'cancelled', 'declined'))
  <> (new.status IN ('failed', 'expired', 'cancelled', 'declined')))
EXECUTE FUNCTION count_reserved_of_charge();
CREATE TRIGGER count_reserved AFTER UPDATE OF completed_at ON sales FOR EACH ROW
WHEN ((new.coupon_id IS NOT NULL OR new.offer_id IS NOT NULL) AND old.completed_at IS NULL AND new.completed_at IS NOT NULL)
EXECUTE FUNCTION count_reserved_of_sale();

-- The addresses of checkouts are in one table, so that no product and no offer has another's.
CREATE FUNCTION write_checkout_slug(of_seller uuid, of_product bigint, of_offer uuid, new_slug text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM checkout_slugs
  WHERE seller_id = of_seller AND product_id = of_product AND offer_id IS NOT DISTINCT FROM of_offer;
  IF new_slug IS NOT NULL THEN
    INSERT INTO checkout_slugs (slug, seller_id, product_id, offer_id)
    VALUES (lower(new_slug), of_seller, of_product, of_offer);
    -- Only now: who freed it may have been waited for.
    DELETE FROM freed_slugs WHERE slug = lower(new_slug) AND seller_id = of_seller;
    IF EXISTS (SELECT FROM freed_slugs WHERE slug = lower(new_slug)) THEN
      RAISE unique_violation USING CONSTRAINT = 'checkout_slugs_pkey', MESSAGE = 'this slug is reserved for the seller who had it';
    END IF;
  END IF;
END $$;

CREATE FUNCTION reserve_freed_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO freed_slugs (slug, seller_id) VALUES (old.slug, old.seller_id)
  ON CONFLICT (slug) DO UPDATE SET seller_id = excluded.seller_id, freed_at = excluded.freed_at;
  RETURN NULL;
END $$;
CREATE TRIGGER reserve_freed_slug AFTER DELETE ON checkout_slugs FOR EACH ROW EXECUTE FUNCTION reserve_freed_slug();

CREATE FUNCTION write_product_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_checkout_slug(new.seller_id, new.id, NULL, new.checkout_slug);
  RETURN NULL;
END $$;
CREATE FUNCTION write_offer_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_checkout_slug(new.seller_id, new.product_id, new.id, new.slug);
  RETURN NULL;
END $$;
CREATE TRIGGER write_slug AFTER INSERT ON products FOR EACH ROW
WHEN (new.checkout_slug IS NOT NULL) EXECUTE FUNCTION write_product_slug();
CREATE TRIGGER rewrite_slug AFTER UPDATE OF checkout_slug ON products FOR EACH ROW
WHEN (old.checkout_slug IS DISTINCT FROM new.checkout_slug) EXECUTE FUNCTION write_product_slug();
CREATE TRIGGER write_slug AFTER INSERT ON offers FOR EACH ROW
WHEN (new.slug IS NOT NULL) EXECUTE FUNCTION write_offer_slug();
CREATE TRIGGER rewrite_slug AFTER UPDATE OF slug ON offers FOR EACH ROW
WHEN (old.slug IS DISTINCT FROM new.slug) EXECUTE FUNCTION write_offer_slug();

-- A sale costs what its payment method costs: whatever changes the method changes its amount and its lines.
CREATE FUNCTION requote_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sale_lines SET
    price_cents = price_cents + method_discount_cents
      - CASE WHEN new.payment_method = 'card' THEN 0 ELSE pix_discount_cents END,
    method_discount_cents = CASE WHEN new.payment_method = 'card' THEN 0 ELSE pix_discount_cents END
  WHERE seller_id = new.seller_id AND sale_id = new.id;
  new.amount_cents := (SELECT sum(price_cents) FROM sale_lines WHERE seller_id = new.seller_id AND sale_id = new.id);
  RETURN new;
END $$;
CREATE TRIGGER requote_sale BEFORE UPDATE OF payment_method ON sales FOR EACH ROW
WHEN (old.pix_discount_cents > 0 AND old.payment_method <> new.payment_method) EXECUTE FUNCTION requote_sale();

-- The newest link stays known after content replaced it: who ordered with a link goes on having it.
CREATE FUNCTION keep_last_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.last_file_url := new.file_url;
  RETURN new;
END $$;
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON products FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON order_bumps FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON upsells FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
