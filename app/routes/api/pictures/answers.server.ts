import { z } from "zod";
import { PICTURE_PLACES } from "#app/kit/files/pictures.ts";
import { maybeText } from "#app/web/openapi/answers.server.ts";

/** What `pictureJson` makes. */
export const pictureAnswer = z.object({
  id: z.uuid(),
  place: z.enum(PICTURE_PLACES),
  state: z.enum(["sending", "preparing", "ready", "failed"]),
  message: maybeText,
  url: maybeText,
  width: z.int().nullable(),
  height: z.int().nullable(),
});
