import { customerBody } from "#app/domain/access/correction/customer-form.server.ts";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { messageBody, versionField } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** Corrects the buyer's name and e-mail on a sale. */
export const { loader, action } = endpoint({
  PUT: method(
    {
      summary: "Corrige nome e e-mail do comprador de uma venda",
      details: "A version é a dos detalhes da venda. Sem customer_name, o nome fica como está.",
      needs: "sales",
      body: customerBody,
      answer: messageBody.extend(versionField),
      versioned: true,
      example: {
        params: { saleId: "$SALE" },
        body: { customer_name: "Ana Lima", customer_email: "ana@exemplo.com.br" },
      },
    },
    async ({ seller, params, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const customer = { name: fields.customer_name, email: fields.customer_email };
      const saved = await editCustomer(seller.id, params.saleId, customer, version);
      return { success: true, message: "Dados do cliente atualizados com sucesso!", version: saved };
    },
  ),
});
