import { z } from "zod";
import { maybeText, moment } from "#app/web/openapi/answers.server.ts";

/** What `uploadJson` makes. */
export const uploadAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  size: z.int(),
  received: z.int(),
  part_size: z.int(),
  content_type: maybeText,
  ready_at: moment.nullable(),
});
