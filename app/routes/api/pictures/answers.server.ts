import { z } from "zod";
import { PICTURE_USES } from "#app/kit/files/pictures.ts";
import { nullableText } from "#app/server/openapi/answers.server.ts";

/** Schema of `toPictureJson`. */
export const pictureAnswer = z.object({
  id: z.uuid(),
  place: z.enum(PICTURE_USES),
  state: z.enum(["sending", "preparing", "ready", "failed"]),
  message: nullableText,
  url: nullableText,
  width: z.int().nullable(),
  height: z.int().nullable(),
});
