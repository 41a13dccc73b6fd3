;; A SIP-010 token of 0 decimals, without a metadata URI, whose supply counts what is locked too.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token whole)
(define-fungible-token whole-locked)

(define-read-only (get-name) (ok "Whole Token"))
(define-read-only (get-symbol) (ok "WHOLE"))
(define-read-only (get-decimals) (ok u0))
(define-read-only (get-balance (who principal)) (ok (+ (ft-get-balance whole who) (ft-get-balance whole-locked who))))
(define-read-only (get-total-supply) (ok (+ (ft-get-supply whole) (ft-get-supply whole-locked))))
(define-read-only (get-token-uri) (ok none))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? whole amount sender recipient)))

(define-public (lock (amount uint))
  (begin
    (try! (ft-burn? whole amount tx-sender))
    (ft-mint? whole-locked amount tx-sender)))

(ft-mint? whole u21 tx-sender)
