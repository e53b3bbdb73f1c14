import { Lock } from "lucide-react";
import type { CheckoutView } from "#app/ui/buyer/checkout-view.ts";
import { Field } from "#app/ui/buyer/field.tsx";

/** 'Seus dados': the fields this seller asks for. */
export function BuyerFields({ settings, form: { values, errors } }: CheckoutView) {
  const confirms = settings.require_email && settings.require_email_confirmation;
  return (
    <section className="card" aria-labelledby="dados">
      <div className="spread">
        <h2 id="dados">Seus dados</h2>
        <span className="row fine">
          <Lock aria-hidden size={14} /> Conexão segura
        </span>
      </div>
      <div className="fields">
        {settings.require_name && (
          <Field
            name="customer_name"
            label="Nome completo"
            autoComplete="name"
            maxLength={80}
            defaultValue={values.customer_name}
            error={errors.customer_name}
          />
        )}
        {settings.require_email && (
          <mail-hint class="field">
            <Field
              name="customer_email"
              label="Seu melhor e-mail"
              type="email"
              autoComplete="email"
              inputMode="email"
              maxLength={200}
              defaultValue={values.customer_email}
              error={errors.customer_email}
              hint={
                <p className="small scripted" role="status">
                  <button type="button" hidden />
                </p>
              }
            />
          </mail-hint>
        )}
        {confirms && (
          <email-match class="field">
            <Field
              name="customer_email_confirmation"
              label="Confirme seu e-mail"
              type="email"
              autoComplete="email"
              inputMode="email"
              maxLength={200}
              defaultValue={values.customer_email_confirmation}
              error={errors.customer_email_confirmation}
              hint={<p role="status" className="scripted" />}
            />
          </email-match>
        )}
        {settings.require_document && (
          <document-mask class="field half">
            <Field
              name="customer_document"
              label="CPF"
              autoComplete="off"
              inputMode="numeric"
              maxLength={60}
              placeholder="000.000.000-00"
              defaultValue={values.customer_document}
              error={errors.customer_document}
              hint={
                <button type="button" className="switch fine scripted">
                  Comprar com CNPJ
                </button>
              }
            />
          </document-mask>
        )}
        {settings.require_phone && (
          <phone-mask class="field half">
            <Field
              name="customer_phone"
              label="WhatsApp"
              type="tel"
              autoComplete="tel"
              inputMode="tel"
              maxLength={60}
              placeholder="(11) 98765-4321"
              defaultValue={values.customer_phone}
              error={errors.customer_phone}
            />
          </phone-mask>
        )}
      </div>
    </section>
  );
}
