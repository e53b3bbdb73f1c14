import { z } from "zod";
import { moment, nullableText } from "#app/server/openapi/answers.server.ts";

/** Schema of `toUploadJson`. */
export const uploadAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  size: z.int(),
  received: z.int(),
  part_size: z.int(),
  content_type: nullableText,
  ready_at: moment.nullable(),
});
