import { expect, test } from "vitest";
import { formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { freeze } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { env } from "#app/platform/env.server.ts";

test("all that a mail was written with is sent, to its recipient", () => {
  const written = {
    ...{ from: "Loja <loja@exemplo.com.br>", subject: "Oi", html: "<p>Oi</p>", text: "Olá" },
    replyTo: "vera@exemplo.com.br",
    headers: { "List-Unsubscribe": "<https://exemplo.com.br/parar>" },
    attachments: [{ filename: "pix.png", content: "aGk=", contentType: "image/png", contentId: "pix" }],
  };
  expect(freeze({ ...written, via: "seller" }, "ana@exemplo.com.br")).toEqual({
    via: "seller",
    payload: { ...written, to: "ana@exemplo.com.br" },
  });
});

test("a mail that says nothing else is the platform's, has the text of its HTML, and no empty fields", () => {
  const { via, payload } = freeze({ subject: "Oi", html: "<p>Olá</p>" }, "ana@exemplo.com.br");
  expect(via).toBe("platform");
  expect(payload).toStrictEqual({
    ...{ from: env.MAIL_FROM, to: "ana@exemplo.com.br" },
    ...{ subject: "Oi", html: "<p>Olá</p>", text: "Olá" },
  });
});

test("a subject and a sender's name that are too long end before an emoji, not within it", () => {
  const about = (letters: number) => `A${"🎸".repeat(letters)}`;
  const from = formatAddress(about(60), "loja@exemplo.com.br");
  const { payload } = freeze({ subject: about(120), html: "<p>Oi</p>", from }, "ana@exemplo.com.br");
  expect(payload.subject).toBe(about(99));
  expect(payload.from).toBe(`${about(49)} <loja@exemplo.com.br>`);
});
