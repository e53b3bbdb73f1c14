/**
 * For the seller: a call about a payment was refused with the key it was created with, and the account's current key did not help:
 * it is refused, too, or is of an account that does not know the payment.
 */
export const REFUSED_KEY_TEXT =
  "O provedor não aceitou a chave deste pagamento. Confira a conexão em Configurações. Se o pagamento é de outra conta sua no provedor, só serve uma chave daquela conta.";
