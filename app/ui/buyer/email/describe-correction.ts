/** What a purchase's new e-mail gets now, wherever the change was made. */
export function describeCorrection(
  { isPaid, hasAccess }: { isPaid: boolean; hasAccess: boolean },
  email: string,
): string {
  if (hasAccess) return `Estamos enviando o acesso para ${email}. Os links de antes deixaram de valer.`;
  if (isPaid) return `Agora os e-mails desta compra vão para ${email}. Os links de antes deixaram de valer.`;
  return `Agora o acesso vai para ${email} assim que o pagamento for confirmado.`;
}
