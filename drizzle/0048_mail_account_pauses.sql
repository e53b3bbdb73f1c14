CREATE TABLE "mail_account_pauses" (
	"account" text PRIMARY KEY NOT NULL,
	"via" text NOT NULL,
	"paused_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"refusals" integer NOT NULL,
	"paused_until" timestamp (3) with time zone NOT NULL
);
