import { customerBody } from "#app/domain/access/correction/customer-form.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { editLimitedCustomer } from "#app/server/forms/edit-limited-customer.server.ts";
import { messageBody, versionField } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Corrects the buyer's name and e-mail on a sale. */
export const { loader, action } = endpoint({
  PUT: method(
    {
      summary: "Corrige nome e e-mail do comprador de uma venda",
      details:
        "A version é a dos detalhes da venda. Sem customer_name, o nome fica como está. Trocas de e-mail são limitadas: 60 por hora, e 10 por hora para o mesmo endereço, somadas as de todas as lojas. Acima disso a resposta é 429, com Retry-After.",
      needs: "sales",
      body: customerBody,
      answer: messageBody.extend(versionField),
      versioned: true,
      rateLimited: true,
      example: {
        params: { saleId: "$SALE" },
        body: { customer_name: "Ana Lima", customer_email: "ana@exemplo.com.br" },
      },
    },
    async ({ request, seller, params, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const customer = { name: fields.customer_name, email: fields.customer_email };
      const saved = await editLimitedCustomer(request, seller.id, params.saleId, customer, version);
      return { success: true, message: "Dados do cliente atualizados com sucesso!", version: saved };
    },
  ),
});
