const LONGEST = 254;
const LONGEST_LOCAL = 64;
/** The characters that providers hand out; the rest of RFC 5321's, such as quotes, only ever stand there to deceive. */
const WORD = /^[a-z0-9_'+-]+$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const TOP = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/i;

/**
 * Whether a text is one e-mail address that can be mailed to, and nothing beside it: `ana.souza+loja@exemplo.com.br`.
 * Everybody's one rule. An address is read by mail programs too: a comma or a `<` in it would make another one of it.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > LONGEST) return false;
  const [local = "", domain, ...more] = text.split("@");
  if (domain === undefined || more.length > 0 || local.length > LONGEST_LOCAL) return false;
  return local.split(".").every((word) => WORD.test(word)) && isDomainName(domain);
}

/** Whether a text is a domain's name of two labels or more, in letters that DNS knows: `loja.com.br`, `xn--po-lja.com`. */
export function isDomainName(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length < LONGEST &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP.test(labels.at(-1)!)
  );
}

/** An e-mail address as others may see it: `b•••@exemplo.com.br`. */
export function maskMail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
