-- A seller's UTMify connection is a destination, whichever version saves it: docs/decisions/utmify-moves-to-the-outbox.md.
CREATE FUNCTION mirror_utmify() RETURNS trigger LANGUAGE plpgsql AS $$
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
      || CASE WHEN new.on_refund THEN ARRAY['sale.refunded'] ELSE '{}' END
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
CREATE FUNCTION untracked_products(seller uuid) RETURNS bigint[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(t.product_id ORDER BY t.product_id), '{}')
  FROM tracking_products t INNER JOIN products p ON p.id = t.product_id
  WHERE p.seller_id = seller AND NOT t.is_enabled
$$;--> statement-breakpoint
CREATE FUNCTION mirror_utmify_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE destinations d SET except_product_ids = untracked_products(d.seller_id), updated_at = now()
  WHERE d.kind = 'utmify' AND d.deleted_at IS NULL
    AND d.seller_id IN (SELECT p.seller_id FROM changed c INNER JOIN products p ON p.id = c.product_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mirror_utmify AFTER INSERT OR UPDATE OR DELETE ON tracking_connections
FOR EACH ROW EXECUTE FUNCTION mirror_utmify();--> statement-breakpoint
CREATE TRIGGER mirror_utmify_new AFTER INSERT ON tracking_products
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_utmify_products();--> statement-breakpoint
CREATE TRIGGER mirror_utmify AFTER UPDATE ON tracking_products
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mirror_utmify_products();--> statement-breakpoint
-- Those there are.
UPDATE tracking_connections SET updated_at = updated_at;
