import { customerForm } from "#app/domain/sale/customer-form.server.ts";
import { editCustomer } from "#app/domain/sale/edit-customer.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** Corrects the buyer's name and e-mail on a sale. */
export const { loader, action } = endpoint({
  PUT: async ({ request, params }) => {
    const seller = await requireApiSeller(request, "sales");
    const { customer_name, customer_email } = await readJson(request, customerForm);
    await editCustomer(seller.id, params.saleId, { name: customer_name, email: customer_email });
    return { success: true, message: "Dados do cliente atualizados com sucesso!" };
  },
});
