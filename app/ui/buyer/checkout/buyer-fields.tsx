import { Lock } from "lucide-react";
import type { CheckoutView } from "#app/ui/buyer/checkout/checkout-view.ts";
import { Field } from "#app/ui/buyer/field.tsx";

/** 'Seus dados': the fields this seller requires; nothing if there are none. */
export function BuyerFields({ settings, form: { values, errors, likelyMail } }: CheckoutView) {
  const { require_name, require_email, require_document, require_phone } = settings;
  if (!require_name && !require_email && !require_document && !require_phone) return null;
  const confirms = require_email && settings.require_email_confirmation;
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
          <Field
            name="customer_email"
            label="Seu melhor e-mail"
            type="email"
            autoComplete="email"
            inputMode="email"
            maxLength={200}
            defaultValue={values.customer_email}
            error={errors.customer_email}
            hint={<MailQuestion typed={values.customer_email ?? ""} likely={likelyMail} />}
          />
        )}
        {confirms && (
          <Field
            name="customer_email_confirmation"
            label="Confirme seu e-mail"
            type="email"
            autoComplete="email"
            inputMode="email"
            maxLength={200}
            defaultValue={values.customer_email_confirmation}
            error={errors.customer_email_confirmation}
          />
        )}
        {settings.require_document && (
          <cnpj-switch class="field">
            <Field
              name="customer_document"
              label="CPF"
              inputMode="numeric"
              maxLength={60}
              placeholder="000.000.000-00"
              defaultValue={values.customer_document}
              error={errors.customer_document}
              hint={
                <button type="button" className="switch fine scripted">
                  Usar CNPJ
                </button>
              }
            />
          </cnpj-switch>
        )}
        {settings.require_phone && (
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
        )}
      </div>
    </section>
  );
}

/** Shown once for an e-mail that looks mistyped; the script shows it in the empty box before the form is sent. */
function MailQuestion({ typed, likely }: { typed: string; likely: string | null }) {
  if (!likely) return <div className="ask" role="status" tabIndex={-1} />;
  return (
    <fieldset className="ask" tabIndex={-1}>
      <legend>Você quis dizer {likely}?</legend>
      <input type="hidden" name="mail_asked" value={typed} />
      <label>
        <input type="radio" name="mail_choice" value="likely" /> Sim, usar {likely}
      </label>
      <label>
        <input type="radio" name="mail_choice" value="typed" /> Não, {typed} está certo
      </label>
    </fieldset>
  );
}
