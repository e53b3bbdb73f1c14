/** How a buyer reaches the seller: as the seller chose, else by answering the order's mails, whose answers go to them. */
export function contactWay(contact: string): string {
  return contact || "responda ao e-mail do seu pedido, e a resposta chega a quem vende";
}
