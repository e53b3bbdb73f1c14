import { expect, test } from "vitest";
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
