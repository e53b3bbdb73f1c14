import { createTransport } from "nodemailer";
import { SendError, type Sender } from "#app/domain/mail/message/port.ts";
import { cleanText, cut } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { env } from "#app/platform/env.server.ts";
import { measureCall } from "#app/platform/measure-call.server.ts";

/** Sends through the SMTP server at this address. SMTP has no idempotency: the Message-ID stays the same instead. */
export function smtpSender(url: string): Sender {
  const transport = createTransport({ url, connectionTimeout: 15 * SECOND, socketTimeout: 30 * SECOND });
  const host = new URL(env.APP_URL).hostname;
  return async ({ idempotencyKey, mail: { attachments = [], ...mail } }) => {
    // The transport reads a list: what is kept from before addresses were judged strictly must not reach a second one.
    if (!isMailAddress(mail.to)) throw new SendError("endereço inválido", { passes: false });
    const ended = measureCall("smtp");
    try {
      const messageId = `<${idempotencyKey.replace(/[^A-Za-z0-9.-]/g, ".")}@${host}>`;
      const sent = await transport.sendMail({
        ...mail,
        messageId,
        attachments: attachments.map(({ contentId, ...file }) => ({
          ...file,
          encoding: "base64",
          cid: contentId,
        })),
      });
      ended("ok");
      return { providerId: sent.messageId };
    } catch (error) {
      const { responseCode, message } = error as Failure;
      const account = isOfAccount(error as Failure);
      // 4xx of SMTP is "try later", 5xx a definite no.
      ended(account ? "refused" : !responseCode ? "network" : responseCode < 500 ? "failed" : "refused");
      throw new SendError(cut(cleanText(`${responseCode ?? "sem resposta"}: ${message}`), 500), {
        passes: !account && (!responseCode || responseCode < 500),
        unsure: !account && !responseCode,
        account,
      });
    }
  };
}

/** An error of nodemailer: the server's answer, and to which command it came. */
type Failure = { message: string; responseCode?: number; code?: string; command?: string };

/**
 * Whether a definite no is about the account: its password, the greeting, or the sender, which is the same for every mail.
 * What is answered to the recipient and to the text is about the mail, and so is 552, its size.
 */
function isOfAccount({ responseCode, code, command }: Failure): boolean {
  if (code === "EAUTH") return !responseCode || responseCode >= 500;
  return (responseCode ?? 0) >= 500 && responseCode !== 552 && command !== "RCPT TO" && command !== "DATA";
}
