ALTER TABLE "outbox" DROP CONSTRAINT "outbox_event_check";--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_event_check" CHECK ("outbox"."event" in ('checkout.started', 'pix.generated', 'pix.expired', 'sale.paid', 'sale.refused', 'refund.requested', 'sale.partially_refunded', 'sale.refunded', 'sale.disputed', 'sale.dispute_won', 'sale.chargedback', 'access.granted', 'access.revoked')) NOT VALID;--> statement-breakpoint
-- Who hears of refunds hears of parts, too: the same as before, with the new event.
CREATE OR REPLACE FUNCTION mirror_utmify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_off boolean;
  renamed jsonb := '[]';
BEGIN
  IF tg_op = 'DELETE' THEN
    UPDATE destinations SET deleted_at = now(), stopped_at = coalesce(stopped_at, now()), stopped_why = 'seller',
      settings = '{}', token_sealed = NULL, updated_at = now()
    WHERE seller_id = old.seller_id AND kind = 'utmify' AND deleted_at IS NULL;
    RETURN NULL;
  END IF;
  is_off := new.enabled_at IS NULL OR new.api_token_sealed IS NULL;
  IF tg_op = 'UPDATE' THEN
    -- An order's platform is what the source was called when it was ordered.
    IF old.source_id <> new.source_id THEN
      renamed := jsonb_build_array(jsonb_build_object('sourceId', old.source_id, 'until', now()));
    END IF;
  END IF;
  INSERT INTO destinations AS d (seller_id, kind, name, events, product_ids, except_product_ids, settings, token_sealed,
    stopped_at, stopped_why)
  SELECT new.seller_id, 'utmify', 'UTMify',
    CASE WHEN new.on_purchase THEN ARRAY['pix.generated', 'sale.refused', 'sale.paid'] ELSE '{}' END
      || CASE WHEN new.on_refund THEN ARRAY['sale.partially_refunded', 'sale.refunded'] ELSE '{}' END
      || CASE WHEN new.on_chargeback THEN ARRAY['sale.chargedback'] ELSE '{}' END,
    '{}', untracked_products(new.seller_id),
    jsonb_build_object('apiUrl', new.api_url, 'sourceId', new.source_id, 'former', renamed),
    new.api_token_sealed, CASE WHEN is_off THEN now() END, CASE WHEN is_off THEN 'seller' END
  ON CONFLICT (seller_id) WHERE kind = 'utmify' AND deleted_at IS NULL DO UPDATE SET
    events = excluded.events, token_sealed = excluded.token_sealed,
    settings = excluded.settings || jsonb_build_object('former', coalesce(d.settings -> 'former', '[]') || renamed),
    stopped_at = CASE WHEN is_off THEN coalesce(d.stopped_at, now()) END, stopped_why = excluded.stopped_why,
    failing_since = NULL, rest_until = NULL, updated_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
UPDATE tracking_connections SET updated_at = updated_at WHERE on_refund;--> statement-breakpoint
UPDATE destinations SET events = array_append(events, 'sale.partially_refunded'), updated_at = now()
WHERE kind = 'ga4' AND deleted_at IS NULL AND 'sale.refunded' = ANY (events) AND NOT 'sale.partially_refunded' = ANY (events);
