import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { queryClient } from "../api/queries";
import { ErrorMessage } from "../parts/ErrorMessage";
import { t } from "../text/language";
import { Brand } from "./Rail";

/** A server that other machines can reach asks for a key once; the browser keeps it in a cookie that no script can read. */
export function SignInPage() {
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>(null);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.openSession(key.trim());
      await queryClient.invalidateQueries();
    } catch (problem) {
      const unknown = problem instanceof Problem && problem.status === 401;
      setError(
        unknown ? new Problem({ title: t("This key is not valid"), detail: t("Check for a missing character, or ask for a new key.") }) : problem,
      );
    }
  };
  return (
    <main className="grid h-dvh place-items-center overflow-y-auto p-5" data-testid="gate">
      <form onSubmit={(event) => void enter(event)} className="w-full max-w-[420px]">
        <Brand />
        <h1 className="mt-6 text-[30px]">{t("This library needs a key.")}</h1>
        <p className="mt-2 text-ink-2">{t("The person who runs this server has one for you. It is kept in this browser.")}</p>
        <label className="relative mt-5 block">
          <span className="sr-only">{t("Key")}</span>
          <KeyRound size={16} aria-hidden className="absolute top-3 left-3 text-ink-3" />
          <input
            className="field h-10 pl-9"
            type="password"
            autoComplete="current-password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            placeholder={t("Key")}
          />
        </label>
        {error !== null && (
          <div className="mt-3">
            <ErrorMessage error={error} />
          </div>
        )}
        <button type="submit" className="button mt-4" data-kind="main" disabled={!key.trim()}>
          {t("Open the library")}
        </button>
      </form>
    </main>
  );
}
