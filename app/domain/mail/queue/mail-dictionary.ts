/**
 * What most mails have in common: zlib replaces it by references, so that a text takes a third of the space. Waiting mails are
 * read with the dictionary they were written with, so a release never changes it; zlib refuses a text of another one. What is most
 * common comes last.
 */
export const MAIL_DICTIONARY = Buffer.from(
  JSON.stringify({
    text: `Olá,  Acessar minha compra (https://Pagar com PIX (https://Ver minhas vendas (https://
Comprador: @gmail.com @hotmail.com @outlook.com Minhas compras (https://`,
    subject: "Sua compra foi aprovada: ",
    attachments: [
      {
        filename: "pix.png",
        contentType: "image/png",
        contentId: "pix",
        content: "iVBORw0KGgoAAAANSUhEUgAAA",
      },
    ],
    html: `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title></title>
<style>@media (prefers-color-scheme: dark) {
.fundo { background-color: #14161c !important; }
.cartao { background-color: #1e2129 !important; }
.cartao, .cartao p, .cartao h1, .cartao td { color: #eef0f4 !important; border-color: #3a3f4b !important; }
.codigo { background-color: #14161c !important; }
.rodape, .rodape p { color: #a9afbd !important; }
}</style>
</head>
<body class="fundo" style="margin:0;padding:0;background-color:#f3f4f7;">
<div style="display:none;max-height:0;overflow:hidden;"></div>
<table role="presentation" class="fundo" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f3f4f7;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" class="cartao" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background-color:#ffffff;border-radius:12px;">
<tr><td style="padding:32px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:24px;color:#1d2330;">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;">Falta só o pagamento</h1>
<p style="margin:0 0 16px;">O seu pedido de <strong></strong> está guardado. Assim que o PIX for pago, o acesso chega neste e-mail.</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;table-layout:fixed;"><tr>
<td class="codigo" style="padding:12px;border:1px solid #c9cfda;border-radius:8px;background-color:#f3f4f7;color:#1d2330;font-family:Consolas,Menlo,monospace;font-size:13px;line-height:20px;word-break:break-all;">00020101021226580014br.gov.bcb.pix0136520400005303986540BR59SAO PAULO62070503***6304</td>
</tr></table>
<p style="margin:0 0 16px;">Ou copie o código abaixo e cole no aplicativo do seu banco, em PIX copia e cola. Este código vale até ; depois, gere outro pelo botão acima.</p>
<p style="margin:0 0 16px;">Está lendo no computador? Aponte a câmera do celular para o QR Code:</p>
<p style="margin:0 0 8px;"><img src="cid:pix" width="200" height="200" alt="QR Code do PIX" style="display:block;border:8px solid #ffffff;background-color:#ffffff;"></p>
<p style="margin:0 0 8px;">Pedido feito com . Já pagou? Então é só aguardar: o acesso chega por e-mail. Não foi você? Ignore este e-mail: nada é cobrado.</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;">Você vendeu!</h1>
<p style="margin:0 0 16px;">Pagamento de <span style="white-space:nowrap">R$ </span> aprovado em 27/11/2026 18:04.</p>
Você recebe este aviso porque as notificações de nova venda estão ligadas em Configurações.
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;">Pagamento aprovado</h1>
<p style="margin:0 0 16px;">Olá, ! Recebemos o seu pagamento de R$ 97,00 e o seu acesso está liberado.</p>
<p style="margin:0 0 16px;">É só abrir a página da sua compra. O link é seu e pode ser usado enquanto o e-mail da compra for este.</p>
<p style="margin:0 0 16px;">Ficou com alguma dúvida? Responda a este e-mail.</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
<tr><td style="padding:8px 0;border-bottom:1px solid #e3e6ec;"></td>
<td align="right" style="padding:8px 0;border-bottom:1px solid #e3e6ec;white-space:nowrap;">R$ 97,00</td></tr>
<tr><td style="padding:8px 0;border-bottom:1px solid #e3e6ec;font-weight:bold;">Total</td>
<td align="right" style="padding:8px 0;border-bottom:1px solid #e3e6ec;white-space:nowrap;font-weight:bold;"><span style="white-space:nowrap">R$ 97,00</span></td></tr>
</table>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;"><tr>
<td bgcolor="#2f55d4" style="border-radius:8px;"><a href="https://" style="display:inline-block;padding:14px 24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;font-weight:bold;color:#ffffff;text-decoration:none;">Acessar minha compra</a></td>
</tr></table>
</td></tr></table>
<table role="presentation" class="rodape" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;">
<tr><td class="rodape" style="padding:16px 32px;font-family:Arial,Helvetica,sans-serif;font-size:12px;line-height:18px;color:#5d6575;">
<p style="margin:0 0 8px;">Compra feita em 27/11/2026 por .<br>Número da compra: </p>
<p style="margin:0 0 8px;">Tudo o que você já comprou: <a href="/minhas-compras">Minhas compras</a></p>
<p style="margin:0;">© 2026 </p>
</td></tr></table>
</td></tr></table>
</body>
</html>`,
    replyTo: "",
  }),
);
