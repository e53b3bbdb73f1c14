/** What became of a purchase that was given back, in words for its buyer. */
export const ENDED = {
  refunded: "O valor foi devolvido, e o acesso terminou com ele.",
  chargedback: "O pagamento foi contestado e devolvido, e o acesso terminou com ele.",
};
