/** An e-mail address as others may see it: `b•••@exemplo.com.br`. */
export function maskMail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
