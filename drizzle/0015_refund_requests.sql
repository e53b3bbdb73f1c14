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
	"next_try_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "refund_requests_kind_check" CHECK ("refund_requests"."kind" in ('right', 'question')),
	CONSTRAINT "refund_requests_answer_check" CHECK ("refund_requests"."answer" in ('granted', 'declined')),
	CONSTRAINT "refund_requests_answered_check" CHECK (("refund_requests"."answer" is null) = ("refund_requests"."answered_at" is null))
);
--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_sale_key" ON "refund_requests" USING btree ("sale_id","kind");--> statement-breakpoint
CREATE INDEX "refund_requests_seller_idx" ON "refund_requests" USING btree ("seller_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refund_requests_waiting_idx" ON "refund_requests" USING btree ("seller_id","created_at") WHERE kind = 'question' and answer is null;--> statement-breakpoint
CREATE INDEX "refund_requests_next_try_idx" ON "refund_requests" USING btree ("next_try_at") WHERE next_try_at is not null;