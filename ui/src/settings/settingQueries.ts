import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { queryClient } from "../api/queries";

export const useSettings = () => useQuery({ queryKey: ["settings"], queryFn: ({ signal }) => api.settings(signal), staleTime: 10_000 });

export const useLanguageModels = () =>
  useQuery({ queryKey: ["language-models"], queryFn: ({ signal }) => api.languageModels(signal), staleTime: 30_000 });

/** Changes one setting; null takes the page's value back. Rejects with what is wrong. */
export async function changeSetting(key: string, value: unknown): Promise<void> {
  queryClient.setQueryData(["settings"], await api.changeSettings({ [key]: value }));
  void queryClient.invalidateQueries({ queryKey: ["health"] });
}
