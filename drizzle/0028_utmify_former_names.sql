-- An order keeps the platform it was told under: what sources were called before is read from what versions before told.
UPDATE destinations d
SET settings = d.settings || jsonb_build_object('former', f.names || coalesce(d.settings -> 'former', '[]')), updated_at = now()
FROM (
  SELECT seller_id, jsonb_agg(jsonb_build_object('sourceId', platform, 'until', until) ORDER BY until) AS names
  FROM (
    SELECT e.seller_id, e.payload ->> 'platform' AS platform, max(s.created_at) + interval '1 millisecond' AS until
    FROM tracking_events e INNER JOIN sales s ON s.id = e.sale_id
    -- UTMify hears nothing more of older ones.
    WHERE s.created_at > now() - interval '46 days' AND e.payload ? 'platform'
    GROUP BY e.seller_id, e.payload ->> 'platform'
  ) told GROUP BY seller_id
) f
WHERE d.seller_id = f.seller_id AND d.kind = 'utmify' AND d.deleted_at IS NULL;
