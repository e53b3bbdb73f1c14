import { expect, test } from "vitest";
import { sendPicture } from "#app/server/files/send-picture.server.ts";

const BYTES = Buffer.from("the bytes of a picture");

async function* bytes() {
  yield BYTES;
}

function send(headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const request = new Request("http://localhost:3000/pictures/key/name", { headers, method });
  return sendPicture(request, {
    tag: "key/name",
    format: "avif",
    size: BYTES.length,
    read: async () => bytes(),
  });
}

test("a picture is sent with its type and length; a HEAD request gets these alone", async () => {
  const whole = await send();
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "image/avif",
    "content-length": String(BYTES.length),
    etag: '"key/name"',
  });
  expect([whole.status, await whole.text()]).toEqual([200, BYTES.toString()]);
  const head = await send({}, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(String(BYTES.length));
});

test("a client that has the picture gets 304 without a body, one that has another gets it", async () => {
  for (const known of ['"key/name"', 'W/"key/name"', '"other", "key/name"', "*"]) {
    const answer = await send({ "If-None-Match": known });
    expect([answer.status, await answer.text()], known).toEqual([304, ""]);
  }
  expect((await send({ "If-None-Match": '"other"' })).status).toBe(200);
});
