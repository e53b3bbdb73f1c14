/**
 * How a buyer reaches the seller: as the seller chose, else by answering the order's mails, whose answers go to them; null
 * where no mail can come.
 */
export function contactWay(contact: string, hasMail: boolean): string | null {
  return contact || (hasMail ? "responda ao e-mail do seu pedido, e a resposta chega a quem vende" : null);
}
