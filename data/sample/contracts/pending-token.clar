;; A SIP-010 token whose metadata is on the web: without a network it stays in progress.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token pending)

(define-read-only (get-name) (ok "Pending Token"))
(define-read-only (get-symbol) (ok "PEND"))
(define-read-only (get-decimals) (ok u2))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance pending who)))
(define-read-only (get-total-supply) (ok (ft-get-supply pending)))
(define-read-only (get-token-uri) (ok (some u"https://example.org/tokens/{id}.json")))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? pending amount sender recipient)))
