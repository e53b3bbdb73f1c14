import { expect, test } from "vitest";
import { frameFor } from "#app/ui/buyer/video.tsx";

test.each([
  ["https://www.youtube.com/watch?v=abcdefghijk&t=3", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://youtu.be/abcdefghijk", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://www.youtube.com/shorts/abcdefghijk", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
  ["https://vimeo.com/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://player.vimeo.com/video/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://vimeo.com/channels/aulas/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://vimeo.com/ondemand/aulas/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://vimeo.com/showcase/7654321/video/123456789", "https://player.vimeo.com/video/123456789?dnt=1"],
  [
    "https://player.vimeo.com/video/123456789?h=0a1b2c3d4e&badge=0",
    "https://player.vimeo.com/video/123456789?h=0a1b2c3d4e&dnt=1",
  ],
  [
    "https://vimeo.com/123456789/0a1b2c3d4e?share=copy",
    "https://player.vimeo.com/video/123456789?h=0a1b2c3d4e&dnt=1",
  ],
  ["https://vimeo.com/123456789/1234567890", "https://player.vimeo.com/video/123456789?h=1234567890&dnt=1"],
  ['https://vimeo.com/123456789?h="onload=', "https://player.vimeo.com/video/123456789?dnt=1"],
  ["https://vimeo.com/showcase/7654321", null],
  ["https://vimeo.com/event/7654321", null],
  ["https://youtube.com.evil.example/watch?v=abcdefghijk", null],
  ["https://evil.example/?v=abcdefghijk", null],
  ['https://youtu.be/abc"onload=', null],
  ["javascript:alert(1)", null],
])("%s is framed as %s", (url, frame) => {
  expect(frameFor(url)).toBe(frame);
});
