import { PassThrough } from "node:stream";
import { createTransport } from "nodemailer";
import { SendError, type SendFunction } from "#app/domain/mail/message/mail-carrier.ts";
import { cleanText, truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { env } from "#app/platform/env.server.ts";
import { measureCall } from "#app/platform/measure-call.server.ts";

/** Sends through the SMTP server at this address. SMTP has no idempotency, but the Message-ID stays the same. */
export function smtpSender(url: string): SendFunction {
  const transport = createTransport({ url, connectionTimeout: 15 * SECOND, socketTimeout: 30 * SECOND });
  const host = new URL(env.APP_URL).hostname;
  // A text is read once the server is connected and accepted the login: before that it cannot have accepted a mail.
  const readTexts = new Set<string>();
  transport.use("stream", ({ message, data }, done) => {
    message.transform(() => {
      readTexts.add(data.messageId!);
      return new PassThrough();
    });
    done();
  });
  return async ({ idempotencyKey, mail: { attachments = [], ...mail } }) => {
    // The transport parses a list: an address from before strict validation must not reach a second recipient.
    if (!isMailAddress(mail.to)) throw new SendError("endereço inválido", { isRetryable: false });
    const recordOutcome = measureCall("smtp");
    const messageId = `<${idempotencyKey.replace(/[^A-Za-z0-9.-]/g, ".")}@${host}>`;
    try {
      const sent = await transport.sendMail({
        ...mail,
        messageId,
        attachments: attachments.map(({ contentId, ...file }) => ({
          ...file,
          encoding: "base64",
          cid: contentId,
        })),
      });
      recordOutcome("ok");
      return { providerId: sent.messageId };
    } catch (error) {
      const { responseCode, message } = error as SmtpError;
      const isAccountFailure = isAccountError(error as SmtpError);
      // SMTP's 4xx is "try later", 5xx a definite no.
      recordOutcome(
        isAccountFailure ? "refused" : !responseCode ? "network" : responseCode < 500 ? "failed" : "refused",
      );
      throw new SendError(truncate(cleanText(`${responseCode ?? "sem resposta"}: ${message}`), 500), {
        isRetryable: !isAccountFailure && (!responseCode || responseCode < 500),
        isUncertain: !isAccountFailure && !responseCode && readTexts.has(messageId),
        isAccountError: isAccountFailure,
      });
    } finally {
      readTexts.delete(messageId);
    }
  };
}

/** An error of nodemailer: the server's answer, and the command it answers. */
type SmtpError = { message: string; responseCode?: number; code?: string; command?: string };

/**
 * Whether a definite refusal is about the account: its password, the greeting, or the sender, which is the same for every
 * mail. Refusals of the recipient or the text are about the mail, and so is 552, its size.
 */
function isAccountError({ responseCode, code, command }: SmtpError): boolean {
  if (code === "EAUTH") return !responseCode || responseCode >= 500;
  return (responseCode ?? 0) >= 500 && responseCode !== 552 && command !== "RCPT TO" && command !== "DATA";
}
