import { z } from "zod";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { storeFields, storeForm } from "#app/domain/storefront/store/store-form.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { messageBody, versionField } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const text = z.string().nullable();
/** All null until the seller provides it. */
const answer = z.object({
  legal_name: text,
  tax_id: text,
  street: text,
  number: text,
  complement: text,
  district: text,
  city: text,
  state: text,
  postal_code: text,
  email: text,
  phone: text,
  version: z.string(),
});

/** The seller's identity, as buyers read it. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os dados da loja: quem vende, como aparece para quem compra",
      needs: "read",
      answer,
      versioned: true,
      example: {},
    },
    async ({ seller }) => {
      const store = await findStore(seller.id);
      return { ...storeFields(store), version: storeVersion(store) };
    },
  ),
  PUT: method(
    {
      summary: "Grava os dados da loja",
      details:
        "O CPF ou CNPJ é conferido pelos dígitos, também o CNPJ com letras. O complemento e o telefone são opcionais.",
      needs: "settings",
      body: storeForm,
      answer: messageBody.extend(versionField),
      versioned: true,
      example: {
        body: {
          legal_name: "Cordas e Cia Cursos Ltda.",
          tax_id: "11.222.333/0001-81",
          street: "Rua das Flores",
          number: "10",
          complement: "Sala 2",
          district: "Centro",
          city: "Campinas",
          state: "SP",
          postal_code: "13010-000",
          email: "contato@exemplo.com.br",
          phone: "(19) 3232-1010",
        },
      },
    },
    async ({ seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const saved = await saveStore(seller.id, fields, version);
      return { success: true, message: "Dados da loja salvos.", version: saved };
    },
  ),
});
