import { expect, test } from "vitest";
import { frameFor } from "#app/ui/buyer/video.tsx";

test.each([
  ["https://www.youtube.com/watch?v=abcdefghijk&t=3", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://youtu.be/abcdefghijk", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://www.youtube.com/shorts/abcdefghijk", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://vimeo.com/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://youtube.com.evil.example/watch?v=abcdefghijk", null],
  ["https://evil.example/?v=abcdefghijk", null],
  ['https://youtu.be/abc"onload=', null],
  ["javascript:alert(1)", null],
])("%s is framed as %s", (url, frame) => {
  expect(frameFor(url)).toBe(frame);
});
